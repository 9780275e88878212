from onec_rag.formats.form_events import EVENTS


def test_every_event_is_one_word_of_each_language() -> None:
    for english, russian in EVENTS.items():
        assert english.isascii()
        assert english.isidentifier()
        assert russian.isidentifier()
        assert not any(letter.isascii() for letter in russian)
