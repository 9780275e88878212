"""Text → token ids, as multilingual-e5-small wants them: XLM-R's Unigram model over NFKC-like normalised text."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer as UnigramTokenizer
from tokenizers import models, pre_tokenizers

from onec_rag_local.embedding.weights import MAX_TOKENS, Vocabulary

CONTENT_TOKENS = MAX_TOKENS - 2  # what is left beside <s> and </s>
_SPACES = re.compile(" {2,}")


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """`ids` with <s> and </s>, at most 512; `truncated` says that the text was longer."""

    ids: list[int]
    truncated: bool


class Tokenizer:
    """Thread-safe; the same text always gives the same ids.

    A run of characters that the vocabulary does not know gives one <unk>; a NUL counts as a space; a lone surrogate
    becomes "?".
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._unigram = UnigramTokenizer(models.Unigram(vocabulary.pieces, unk_id=vocabulary.unknown))
        self._unigram.pre_tokenizer = pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="always")
        self._normalization = vocabulary.normalization
        self._begin, self._end = vocabulary.begin, vocabulary.end
        # No text longer than this can fit; cutting here bounds the time that a huge text costs.
        self._longest = MAX_TOKENS * max(len(piece) for piece, _ in vocabulary.pieces)

    def tokenize(self, texts: Sequence[str]) -> list[TokenizedText]:
        """What the model reads of each text: the first 510 tokens between <s> and </s>."""
        contents = self._contents([self._normalize(text)[: self._longest] for text in texts])
        return [
            TokenizedText([self._begin, *ids[:CONTENT_TOKENS], self._end], len(ids) > CONTENT_TOKENS)
            for ids in contents
        ]

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each whole text without <s> and </s>; a text fits when it has at most 510."""
        return [len(ids) for ids in self._contents([self._normalize(text) for text in texts])]

    def _normalize(self, text: str) -> str:
        text = text.encode("utf-8", "replace").decode("utf-8")  # lone surrogates
        text = unicodedata.normalize("NFC", text).translate(self._normalization)
        return _SPACES.sub(" ", text).rstrip(" ")  # as SentencePiece; else a trailing line break would be a token

    def _contents(self, texts: list[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self._unigram.encode_batch_fast(texts, add_special_tokens=False)]
