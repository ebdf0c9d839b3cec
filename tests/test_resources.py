import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from attnviz import folders
from attnviz.folders import resource

ROOT = Path(__file__).resolve().parents[1]


def copied_to(folder: Path) -> ModuleType:
    """Return attnviz.folders as it is when the package lies in that folder."""
    package = folder / "attnviz"
    package.mkdir(parents=True)
    shutil.copy(folders.__file__, package)
    spec = spec_from_file_location("copied_resources", package / "folders.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def filled(folder: Path) -> Path:
    (folder / "presets").mkdir(parents=True)
    (folder / "style.qss").touch()
    return folder


@pytest.mark.parametrize(
    ("name", "kind"), [("presets", Path.is_dir), ("icons", Path.is_dir), ("style.qss", Path.is_file)]
)
def test_that_this_checkout_has_what_the_code_asks_for(name: str, kind: object) -> None:
    assert resource(name) == ROOT / "resources" / name
    assert kind(resource(name))  # type: ignore[operator]


def test_that_a_checkout_finds_its_resources_beside_the_package(tmp_path: Path) -> None:
    module = copied_to(tmp_path)
    folder = filled(tmp_path / "resources")
    assert module.resource("presets") == folder / "presets"
    assert module.resource("style.qss") == folder / "style.qss"


def test_that_a_wheel_finds_its_resources_inside_the_package(tmp_path: Path) -> None:
    module = copied_to(tmp_path)
    folder = filled(tmp_path / "attnviz" / "_resources")
    assert module.resource("presets") == folder / "presets"


def test_that_a_wheel_does_not_mistake_a_neighbour_for_its_resources(tmp_path: Path) -> None:
    module = copied_to(tmp_path)
    filled(tmp_path / "resources")
    folder = filled(tmp_path / "attnviz" / "_resources")
    assert module.resource("style.qss") == folder / "style.qss"


def test_that_the_folder_of_the_call_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(tmp_path / "resources")
    monkeypatch.chdir(tmp_path)
    assert resource("presets").parent == ROOT / "resources"


def test_that_a_missing_resource_is_told_by_name_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        copied_to(tmp_path).resource("presets")
    assert str(caught.value) == "attnviz's resource 'presets' is missing; install attnviz again"
