"""What a run on an image exports: the script gives its weights, the file has its pixels."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from calling import attnviz as command
from image_folders import SETTINGS, image_file, image_folder, labelled
from scripts import run_scripts

from attnviz.engine.run import run_to_end
from attnviz.experiment.colours import colours_of_levels
from attnviz.experiment.files.session import Session
from attnviz.experiment.model.spec import OWN_IMAGE, ModelSpec
from attnviz.experiment.model.trace import ModelTrace
from attnviz.export.code.script import pytorch_code
from attnviz.export.document import read_document
from attnviz.export.figures.figure import paper_figure, write_figure
from attnviz.export.figures.settings import FigureSettings


def test_that_the_script_of_an_image_has_its_weights(tmp_path: Path) -> None:
    written = SETTINGS | {"image_processor_type": "ViTImageProcessor"}
    vit = labelled(image_folder(tmp_path / "vit", "vit_classes", written), *(f"class {at}" for at in range(12)))
    clip, deit = (str(image_folder(tmp_path / name, name, None)) for name in ("clip", "deit"))
    beit, dinov2 = (str(image_folder(tmp_path / name, name, None)) for name in ("beit", "dinov2_with_registers"))
    clear = str(image_file(tmp_path / "clear.png", (60, 44), "LA"))
    specs = {
        "vit": ModelSpec(folder=str(vit), image=OWN_IMAGE),
        "clip": ModelSpec(folder=clip, image=clear, heads_off=("1.2",), ablation="mean"),
        "deit": ModelSpec(folder=deit, image=clear, tokens_hidden=(0, 5)),
        "beit": ModelSpec(folder=beit, image=OWN_IMAGE, temperature=2.0, painted={"1.1": "3: 0-5"}),
        "dinov2": ModelSpec(folder=dinov2, image=OWN_IMAGE),
        "text": ModelSpec(folder=clip, text="the cat sat on the mat"),
    }
    traces = {name: run_to_end(spec) for name, spec in specs.items()}
    left = run_scripts({name: pytorch_code(spec) for name, spec in specs.items()}, tmp_path)
    for name, trace in traces.items():
        assert isinstance(trace, ModelTrace), trace
        np.testing.assert_array_equal(left[name]["weights"], trace.arrays()["weights"], err_msg=name)
    first = traces["vit"].prediction.tokens[0]
    assert str(left["vit"]["printed"]).splitlines()[0].endswith(first)


def test_that_the_figure_of_the_page_has_the_row_of_the_query_over_the_image(tmp_path: Path) -> None:
    folder = image_folder(tmp_path / "vit")
    trace = run_to_end(ModelSpec(folder=str(folder), image=OWN_IMAGE))
    assert isinstance(trace, ModelTrace)
    settings = FigureSettings(page="image", large=(1, 2), query=7, contrast=True)
    figure = paper_figure(trace, settings)
    colours, shown = (np.asarray(each.get_array()) for each in figure.axes[0].get_images())
    levels = trace.layer_at(1).levels("weights", "head")[0, 2][7]
    table = colours_of_levels("viridis", settings.palette)
    of_patches = colours[:: len(colours) // 4, :: len(colours[0]) // 4].reshape(-1, 3)
    assert np.array_equal(of_patches, table[levels[1:]])
    assert shown.shape == (28, 28, 4)
    assert figure.axes[1].get_facecolor()[:3] == tuple(table[levels[0]] / 255)
    for ending in ("png", "pdf", "svg"):
        path = tmp_path / f"image.{ending}"
        write_figure(trace, path, settings, session=Session(spec=trace.spec))
        assert read_document(path).spec == trace.spec
    with pytest.raises(ValueError, match="nearest: overview"):
        paper_figure(run_to_end(ModelSpec()), settings)


def test_that_a_sweep_runs_over_the_images_that_a_file_names(tmp_path: Path) -> None:
    folder = image_folder(tmp_path / "vit")
    paths = [str(image_file(tmp_path / f"{at}.png", (30 + at, 40))) for at in range(3)]
    (tmp_path / "images.txt").write_text("\n".join(paths))
    table, spec = tmp_path / "table.csv", tmp_path / "spec.json"
    spec.write_text(json.dumps({"lab": "model", "folder": str(folder), "image": paths[0]}))
    done = command("sweep", str(spec), "--over", f"image=@{tmp_path / 'images.txt'}", "-o", str(table))
    assert done.code == 0, done.err
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["image"] for row in rows] == paths
    assert len({row["entropy"] for row in rows}) == 3
