"""What MKL answers about the order of its sums, as `mkl_types.h` numbers it: 1 any, 2 automatic, from 3 a fixed one."""

import ctypes
from types import SimpleNamespace

import pytest

from attnviz.engine.machine import sums_in_any_order


@pytest.mark.parametrize(
    ("set_to", "answer", "warned"),
    [
        ("AUTO,STRICT", 1, True),
        ("AUTO,STRICT", 2, False),
        ("AUTO,STRICT", 3, False),
        ("", 1, False),
        ("OFF", 1, False),
    ],
)
def test_that_sums_are_in_any_order_where_mkl_reports_it_against_the_setting(
    set_to: str, answer: int, warned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MKL_CBWR", set_to)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(mkl_serv_cbwr_get=lambda _: answer))
    assert sums_in_any_order() is warned


def test_that_a_torch_whose_mkl_cannot_be_asked_gives_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: str) -> ctypes.CDLL:
        raise OSError("cannot open shared object file")

    monkeypatch.setenv("MKL_CBWR", "AUTO,STRICT")
    for library in (absent, lambda _: SimpleNamespace()):
        monkeypatch.setattr(ctypes, "CDLL", library)
        assert sums_in_any_order() is False
