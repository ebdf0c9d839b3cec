"""Every format of files, by its record: what it names is there, and what it writes is read again."""

from pathlib import Path

import pytest

from attnviz.cli import main
from attnviz.definitions.formats import FORMATS, Format, format_for, format_of, formats_for, suffixes_with
from attnviz.definitions.text import Refused
from attnviz.engine.run import run
from attnviz.experiment.attention.spec import AttentionSpec
from attnviz.experiment.files.session import Session
from attnviz.export.document import read_document
from attnviz.export.figures.figure import figure_bytes, paper_figure
from attnviz.export.figures.settings import FigureSettings

OUTPUTS = [(form, output) for form in FORMATS.values() for output in form.writers]


@pytest.mark.parametrize(("form", "output"), OUTPUTS, ids=[f"{form.name}-{output}" for form, output in OUTPUTS])
def test_that_the_writer_that_a_record_names_is_there(form: Format, output: str) -> None:
    assert callable(form.writer(output))  # type: ignore[arg-type]
    assert form.title_of(output)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", FORMATS.values(), ids=list(FORMATS))
def test_that_an_ending_names_its_format_however_it_is_written(form: Format) -> None:
    assert format_of(Path(f"a.b{form.suffix.upper()}")) is form
    assert form.name.isalnum()
    assert form.writers or form.inputs


@pytest.mark.parametrize("form", formats_for("figure", "session", "animation"), ids=lambda form: form.name)
def test_that_what_may_carry_a_session_carries_it(form: Format, tmp_path: Path) -> None:
    path = tmp_path / f"out{form.suffix}"
    still = [] if "animation" not in form.writers or "figure" in form.writers else ["--animate", "stages"]
    assert main(["export", "preset:kernel-average", "-o", str(path), *still]) == 0
    assert "session" in form.inputs
    assert read_document(path).spec.lab == "regression"


@pytest.mark.parametrize("form", formats_for("numbers"), ids=lambda form: form.name)
def test_that_numbers_are_written_for_the_chosen_spec(form: Format, tmp_path: Path) -> None:
    path = tmp_path / f"out{form.suffix}"
    assert main(["export", "preset:kernel-average", "-o", str(path)]) == 0
    content = path.read_bytes()
    assert content.startswith({"npz": b"PK", "csv": b"head,query,key"}[form.name])


def test_that_the_endings_of_input_are_those_that_the_readers_know() -> None:
    assert suffixes_with("arrays") == (".npz", ".npy")
    assert suffixes_with("points") == (".csv", ".tsv", ".txt")
    assert set(suffixes_with("session")) == {".png", ".pdf", ".svg", ".json", ".attnviz", ".gif", ".apng", ".npz"}


def test_that_an_unknown_ending_names_no_format() -> None:
    assert format_of(Path("a.bmp")) is None
    assert format_of(Path("png")) is None
    for wrong, nearest in (("a.cvs", "a.csv"), ("a.np", "a.npz"), ("a.bmp", "a.npz")):
        with pytest.raises(Refused) as refused:
            format_for(Path(wrong), "numbers")
        assert str(refused.value).endswith(f"nearest: {nearest}")


def test_that_only_a_figure_of_pixels_can_have_too_many_of_them() -> None:
    (trace,) = run(AttentionSpec(num_hiddens=8, num_heads=1))
    page, session = paper_figure(trace, FigureSettings(width_cm=40.0)), Session(spec=trace.spec)
    with pytest.raises(ValueError, match="nearest"):
        figure_bytes(page, "png", session, dpi=100_000)
    for name in ("svg", "pdf"):
        assert figure_bytes(page, name, session, dpi=100_000)
