"""The process of a folder's tokenizer: a script that answers lines of JSON and imports only tokenizers.

The first line is {"content": tokenizer.json, "rows": the tokens that the model knows, "bytes": the memory that the
process may have}; each further one is {"text": ..., "special": ...}, {"ids": ..., "first": ...} to decode tokens, or
{"template": ..., "tokens": ..., "text": ...} to wrap a text by a chat template.
See `attnviz.engine.model.tokenizer.process`.
"""

import json
import os
import sys
from datetime import datetime
from typing import Any

MOST_TOKENS = 1 << 20
"""The most tokens returned for a text."""


MOST_WRAPPED = 200_000
"""The most characters of a text with its chat template."""


def _limit_memory(most: int) -> None:
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or hard > most:
            resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _described(tokenizer: Any, rows: int) -> dict[str, Any]:
    added, empty = tokenizer.get_added_tokens_decoder(), tokenizer.encode("")
    return {
        "pieces": [tokenizer.id_to_token(number) for number in range(rows)],
        "added": [[number, token.content, token.special] for number, token in added.items()],
        "in_bytes": "ByteLevel(" in f"{tokenizer.pre_tokenizer} {tokenizer.decoder}",
        "around": [number for number, added in zip(empty.ids, empty.special_tokens_mask, strict=True) if added],
    }


def _encoded(tokenizer: Any, text: str, special: bool) -> dict[str, Any]:
    """Return the tokens of a text; ``last`` is the piece of the largest token id."""
    encoding = tokenizer.encode(text, add_special_tokens=special)
    if len(encoding) > MOST_TOKENS:
        return {"count": len(encoding)}
    ids = encoding.ids
    return {
        "ids": ids,
        "around": encoding.special_tokens_mask,
        "offsets": encoding.offsets,
        "words": encoding.word_ids,
        "last": tokenizer.id_to_token(max(ids)) if ids else None,
    }


def _decoded(tokenizer: Any, ids: list[int], first: int) -> dict[str, Any]:
    """Return the text of tokens ``ids[:n]`` for each n from ``first`` on."""
    ends = range(first, len(ids) + 1)
    return {"texts": [tokenizer.decode(ids[:end], skip_special_tokens=False) for end in ends]}


def _wrapped(template: str, tokens: dict[str, str], text: str) -> dict[str, Any]:
    """Return a text as a user's turn, by a chat template in the environment that transformers gives it."""
    import jinja2
    from jinja2.ext import Extension
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(Extension):
        """The tag around what an assistant says; it has no effect here."""

        tags = {"generation"}  # noqa: RUF012 - as jinja2 declares it

        def parse(self, parser: Any) -> Any:
            next(parser.stream)
            return parser.parse_statements(["name:endgeneration"], drop_needle=True)

    def raise_exception(message: str) -> None:
        raise jinja2.exceptions.TemplateError(message)

    def to_json(value: Any, ensure_ascii: bool = False, **options: Any) -> str:
        return json.dumps(value, ensure_ascii=ensure_ascii, **options)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, "jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = to_json
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)  # the user's own day
    messages = [{"role": "user", "content": text}]
    wrapped = environment.from_string(template).render(
        messages=messages, tools=None, documents=None, add_generation_prompt=True, **tokens
    )
    return {"wrapped": wrapped} if len(wrapped) <= MOST_WRAPPED else {"error": "it makes a text that is too long"}


def main() -> None:
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="surrogatepass")
    os.dup2(2, 1)  # output of a library must not be taken for an answer
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8", errors="surrogatepass")
    tokenizer: Any = None
    for line in requests:
        request = json.loads(line)
        try:
            if tokenizer is None:
                _limit_memory(request["bytes"])
                from tokenizers import Tokenizer

                loaded: Any = Tokenizer.from_str(request["content"])
                loaded.no_padding()
                loaded.no_truncation()
                answer = _described(loaded, request["rows"])
                tokenizer = loaded
            elif "template" in request:
                answer = _wrapped(request["template"], request["tokens"], request["text"])
            elif "ids" in request:
                answer = _decoded(tokenizer, request["ids"], request["first"])
            else:
                answer = _encoded(tokenizer, request["text"], request["special"])
        except MemoryError:
            os._exit(1)
        except BaseException as error:  # a Rust panic is not an `Exception`
            answer = {"error": " ".join(str(error).split())[:300] or type(error).__name__}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
