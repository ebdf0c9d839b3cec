"""The logic of `bootstrap.py bundle --check` that needs no bundle: what it asks of the machine, and how it compares."""

import sys
from pathlib import Path

import numpy as np
import pytest

BUNDLE = Path(__file__).resolve().parents[2] / "packaging/bundle"
sys.path.insert(0, str(BUNDLE))
import check  # noqa: E402 - it is in the folder above
from checking import bare_tree, packages, pictures  # noqa: E402
from checking.bare_tree import CannotCheckError  # noqa: E402
from checking.site import CHECKS, WrongError  # noqa: E402

ENOUGH = 10**11


@pytest.mark.parametrize(
    ("uid", "platform", "missing", "free", "words"),
    [
        (0, "linux", ["debootstrap", "Xvfb"], ENOUGH, "sudo apt-get install debootstrap xvfb"),
        (1000, "linux", [], ENOUGH, "sudo python3 packaging/bootstrap.py bundle --check"),
        (0, "linux", [], 10**9, "6 GB of disk space, and 1.0 GB are free"),
        (0, "darwin", [], ENOUGH, "'attnviz doctor --self-test' checks a bundle anywhere"),
    ],
    ids=["debootstrap", "root", "disk", "platform"],
)
def test_that_a_machine_that_cannot_check_is_told_what_to_do(
    uid: int, platform: str, missing: list[str], free: int, words: str
) -> None:
    assert words in bare_tree.trouble(uid, platform, missing, free)
    assert bare_tree.trouble(0, "linux", [], ENOUGH) == ""


@pytest.mark.parametrize(
    ("log", "words"),
    [
        ("I: Retrieving\nE: Couldn't download http://deb.example/x.deb", "is this machine offline?"),
        ("tar: write error: No space left on device\nE: Tried to extract", "the disk is full"),
        ("E: No such script: /usr/share/debootstrap/scripts/none", "No such script"),
        ("E: Invalid answer from http://user:word@deb.example/debian", "E: Invalid answer from .../debian"),
    ],
)
def test_that_a_failed_debootstrap_is_explained_without_addresses(log: str, words: str) -> None:
    reason = bare_tree.reason(log)
    assert words in reason
    assert "deb.example" not in reason


def test_that_the_mirror_is_the_one_of_apt() -> None:
    targets = "\n".join(
        (
            "stable contrib http://a.example/debian/",
            "bookworm-security main http://s.example/security",
            "cloud main http://c.example/apt",
            "trixie main http://b.example/debian/",
            "bookworm main http://a.example/debian/",
        )
    )
    assert bare_tree.mirror_of(targets, "bookworm") == "http://a.example/debian/"
    assert bare_tree.mirror_of(targets, "bullseye") == "http://b.example/debian/"
    assert bare_tree.mirror_of("noble main http://u.example/ubuntu/", "bookworm") == ""


def test_that_pictures_are_compared_but_for_the_status_bar() -> None:
    picture = np.zeros((800, 1280, 3), np.uint8)
    other = picture.copy()
    other[-pictures.STATUS_BAR :] = 255
    assert pictures.difference(picture, other) == ""
    other[799 - pictures.STATUS_BAR, 7, 2] = 1
    assert pictures.difference(picture, other) == "1 pixels differ, x 7 to 7, y 769 to 769"
    assert "1280x800" in pictures.difference(picture, other[:-1])


def test_that_arrays_are_compared_to_the_bit(tmp_path: Path) -> None:
    first, second = tmp_path / "a.npz", tmp_path / "b.npz"
    weights = np.array([0.25, np.nan])
    np.savez(first, weights=weights, version="1")
    np.savez(second, weights=weights, version="2")
    assert pictures.main(first, second) == "same"
    np.savez(second, weights=np.nextafter(weights, 1), version="2")
    assert pictures.main(first, second) == "other numbers in weights"
    np.savez(second, scores=weights, version="1")
    assert pictures.main(first, second) == "arrays of one alone: scores, weights"


def test_that_the_packages_of_a_deb_are_read() -> None:
    control = "Package: attnviz\nDepends: libc6 (>= 2.36), libegl1, libglib2.0-0 | libglib2.0-0t64\nSection: science\n"
    assert packages.depends(control) == ["libc6", "libegl1", "libglib2.0-0"]
    assert packages.depends("Package: attnviz\n") == []


def test_that_what_a_package_leaves_behind_is_seen(tmp_path: Path) -> None:
    for name in ("usr/lib/own", "var/lib/dpkg/status"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    before = packages.listing(tmp_path)
    (tmp_path / "var/lib/dpkg/status").write_text("changed")
    assert packages.listing(tmp_path) == before
    (tmp_path / "usr/lib/left").symlink_to("own")
    assert set(packages.listing(tmp_path)) - set(before) == {"usr/lib/left"}


def test_that_without_a_bundle_the_command_that_builds_one_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotCheckError, match="has no bundle; build one first: python3 packaging/bootstrap"):
        check.make_site(tmp_path)


def test_that_every_check_runs_and_a_failed_one_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(_: object) -> None:
        raise WrongError("no window")

    def breaks(_: object) -> None:
        raise KeyError("unforeseen")

    for claim, function in (("it opens", fails), ("it draws", breaks), ("it ends", lambda _: "in 1 s")):
        monkeypatch.setitem(CHECKS, claim, function)
    failed = check.run_checks(None, ("it opens", "it draws", "it ends"))  # type: ignore[arg-type]
    assert failed == ["it opens", "it draws"]
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["FAILED", "FAILED", "ok"]
    assert lines[0].endswith("it opens: no window")
    assert "KeyError" in lines[1]
    assert lines[2].endswith("it ends: in 1 s")
