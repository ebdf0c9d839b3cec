"""Whatever holds a session can be given to the command line: to run its spec, or to open it as it was looked at."""

from pathlib import Path

import numpy as np
import pytest
from calling import attnviz, forked

from attnviz.experiment.attention.view import AttentionViewSettings
from attnviz.experiment.files.session import Session, session_or_spec_from_json
from attnviz.experiment.labs import make_spec
from attnviz.export.document import read_document, write_session
from attnviz.export.embedded_session import into_svg

SESSION = Session(
    spec=make_spec({"num_heads": 2, "num_hiddens": 8, "seed": 12, "device": "cpu"}),
    view=AttentionViewSettings(stage="scores", head=1, query=2, key=3),
    notes="shown to nobody",
)


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """The file of a session."""
    write_session(SESSION, tmp_path / "mine.attnviz")
    return tmp_path / "mine.attnviz"


def test_that_the_spec_of_a_session_or_of_a_figure_is_run(session: Path, tmp_path: Path) -> None:
    figure = tmp_path / "figure.svg"
    figure.write_text(into_svg("<svg></svg>", SESSION))
    for source in (session, figure):
        said = attnviz("run", str(source), "-o", str(tmp_path / "out.npz"), "--force")
        assert (said.code, said.err) == (0, "")
        with np.load(tmp_path / "out.npz", allow_pickle=False) as arrays:
            assert session_or_spec_from_json(str(arrays["spec"])).spec == SESSION.spec


@pytest.mark.parametrize(
    "content", ["{", '{"format": 99, "spec": {}}', '{"seed": 1}', '{"format": 1, "spec": {"seed": -1}}']
)
def test_that_a_session_that_cannot_be_opened_is_told_in_one_line(content: str, session: Path) -> None:
    session.write_text(content)
    for said in (attnviz("run", str(session)), attnviz(str(session))):
        assert said.is_one_line(2, str(session))


def test_that_the_window_opens_a_session_as_it_was_looked_at_but_for_the_stage_that_is_asked_for(
    session: Path, tmp_path: Path
) -> None:
    pytest.importorskip("PySide6.QtGui")
    assert forked(session.name, "--stage", "split", "--screenshot", "seen.png", cwd=tmp_path) == (0, "", "")
    found = read_document(tmp_path / "seen.png").view
    assert found == AttentionViewSettings(stage="split", head=1, query=2, key=3)
