"""Requirements on every lab besides its rows in the registries: presets, a first preset, and glossary terms."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from attnviz.experiment.files import specs_in_files
from attnviz.experiment.labs import LABS, SpecError
from attnviz.experiment.texts import glossary
from attnviz.experiment.texts.languages import ENGLISH, languages, translator
from attnviz.folders import resource, resource_in

EVERYDAY = {"inputs", "data", "task", "changes", "folder", "text", "text_b", "choose", "chosen"}
"""Fields whose titles need no glossary entry."""


def missing_of(name: str) -> list[str]:
    """Return the requirements that a registered lab does not meet."""
    lab, found = LABS[name], []
    own = {each for each, preset in specs_in_files.presets().items() if preset.spec.lab == name}
    if not own:
        found.append("a preset")
    try:
        opened = specs_in_files.opening_session(name)
        found += ["an opening preset of its own"] * (lab.opening_preset not in own or opened.spec.lab != name)
    except SpecError:
        found.append("an opening preset of its own")
    for language in languages():
        tr = translator(language)
        for field, info in lab.spec_type.model_fields.items():
            grouped = isinstance(info.json_schema_extra, dict) and info.json_schema_extra["group"]
            if grouped and field not in EVERYDAY and not glossary.terms_in(tr(info.title or ""), language):
                found.append(f"a term for the field {field} in the glossary ({language})")
    return found


def with_documents(
    presets: Mapping[str, Mapping[str, Any]], terms: Mapping[str, Mapping[str, str]]
) -> Callable[..., Iterator[None]]:
    """Return a fixture that adds presets (by name) and glossary sentences (by language and term) to attnviz."""

    @pytest.fixture(autouse=True)
    def added(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
        folder = tmp_path_factory.mktemp("resources")
        for path in resource("presets").glob("*.json"):
            (folder / path.name).symlink_to(path)
        for name, document in presets.items():
            (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(specs_in_files, "resource", lambda name: folder if name == "presets" else resource(name))
            patch.setattr(glossary, "resource_in", partial(_page, folder, terms))
            _forget()
            yield
        _forget()

    return added


def _page(folder: Path, terms: Mapping[str, Mapping[str, str]], language: str, name: str) -> Path:
    """Return the page of the glossary with further terms."""
    own = terms.get(language, terms[ENGLISH])
    further = "".join(f"\n## {title}\n\n{sentence}\n" for title, sentence in own.items())
    page = folder / f"{language}.md"
    page.write_text(resource_in(language, name).read_text(encoding="utf-8") + further, encoding="utf-8")
    return page


def _forget() -> None:
    for each in (
        specs_in_files.presets,
        specs_in_files._presets_of,
        specs_in_files._presets_by_spec,
        glossary.glossary,
        glossary._by_form,
        glossary._pattern,
    ):
        each.cache_clear()
