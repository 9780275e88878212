"""What an answer says of itself, in the language of the question."""

PHRASES = {
    "ru": {
        "nothing_found": "ничего не найдено: вопрос не передавался модели",
        "no_endpoint": "модель не настроена (ONEC_RAG_CHAT_BASE_URL): показано найденное без ответа",
        "model_failed": "модель не ответила: {reason}; показано найденное без ответа",
        "truncated": "ответ модели обрезан по длине",
        "refused": "модель отказалась отвечать",
        "not_understood": "ответ модели не является JSON нужного вида",
        "no_room": "ни один источник не помещается в окно модели",
        "fewer_sources": "модели передана только часть найденного: {used} из {found}",
        "points_dropped": "отброшено тезисов без источника: {count}",
    },
    "en": {
        "nothing_found": "nothing was found: the model was not asked",
        "no_endpoint": "no chat endpoint is configured (ONEC_RAG_CHAT_BASE_URL): the hits are shown without an answer",
        "model_failed": "the model did not answer: {reason}; the hits are shown without an answer",
        "truncated": "the model's answer was cut at its length",
        "refused": "the model refused to answer",
        "not_understood": "the model's answer is not JSON of the right form",
        "no_room": "not one source fits into the model's window",
        "fewer_sources": "only a part of the hits was given to the model: {used} of {found}",
        "points_dropped": "points without a source left out: {count}",
    },
}


def say(language: str, name: str, **values: object) -> str:
    """A phrase in that language (`ru` or `en`)."""
    return PHRASES[language][name].format(**values)
