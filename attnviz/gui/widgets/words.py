"""The words for choices in the form; a value without an entry stands for itself."""

from PySide6.QtCore import QCoreApplication

from attnviz.experiment.regression.estimators import Overlay

_TITLES = {
    "dot_product": "Dot product",
    "additive": "Additive",
    "multi_head": "Multi-head",
    "causal_multi_head": "Causal multi-head",
    "given": "Given weights",
    "zero": "Zeros",
    "mask_policy.book": "-1e6 (book)",
    "data.book": "Textbook",
    "function.book": "2 sin x + x^0.8",
    "inf": "-inf (NaN)",
    "average": "Average",
    "nonparametric": "Fixed width",
    "parametric": "Learned width",
    "gaussian": "Gaussian",
    "boxcar": "Boxcar",
    "epanechnikov": "Epanechnikov",
    "triangular": "Triangular",
    "constant": "Constant",
    "random": "Random",
    "ones": "All ones",
    "identity": "Identity",
    "sentence": "Sentence",
    "file": "File ...",
    "synthetic": "Synthetic",
    "points": "Points",
    "sine_plus_x": "2 sin x + x",
    "step": "Step",
    "chirp": "Chirp",
    "sinc": "Sinc",
    "formula": "Formula ...",
    "sgd": "SGD",
    "momentum": "SGD, momentum",
    "adam": "Adam",
}


def title_of(value: str, field: str = "") -> str:
    """Return the word for a field's choice in the window's language."""
    return translate(_TITLES.get(f"{field}.{value}") or _TITLES.get(value, value))


def overlay_title(overlay: Overlay) -> str:
    """Return what an estimator is called in a legend: "Boxcar 0.2"."""
    match overlay.estimator:
        case "nonparametric" if overlay.kernel != "constant":
            return f"{title_of(overlay.kernel)} {overlay.width:g}"
        case "parametric":
            return title_of("parametric")
        case _:
            return title_of("average")


def translate(text: str) -> str:
    """Return a word or sentence of a spec in the window's language."""
    return QCoreApplication.translate("spec", text)
