"""What the bundle holds beyond what PyInstaller finds by itself, and what it leaves out, with the reasons.

Plain lists for `attnviz.spec` and its tests; imports nothing but the standard library.
"""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

WHOLE = ("attnviz", "distributed", "transformers")
"""Packages whose modules are imported by name, so that all of them are collected."""

SOURCES = ("attnviz",)
"""Packages whose source files are collected beside the bytecode: scripts quote the app's own mathematics, and the
tokenizer's process runs a file. PyInstaller's hooks do the same for torch and transformers, which read their own."""

NAMED = (
    "distributed.nanny",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_pdf",
    "matplotlib.backends.backend_svg",
    "pyarrow.parquet",
    "safetensors.torch",
    "tokenizers",
)
"""Modules that are imported by name in a package that is not collected whole."""

DATA = ("attnviz", "dask", "distributed", "latex2mathml", "transformers", "ziafont", "ziamath")
"""Packages whose data files are collected: resources, the fonts of formulas, default settings."""

METADATA = (
    "attnviz",
    "cloudpickle",
    "dask",
    "distributed",
    "filelock",
    "httpcore2",
    "httpx2",
    "huggingface-hub",
    "latex2mathml",
    "markdown-it-py",
    "matplotlib",
    "mdit-py-plugins",
    "msgpack",
    "numpy",
    "packaging",
    "Pillow",
    "psutil",
    "pyarrow",
    "pydantic",
    "pygments",
    "pypdf",
    "pyqtgraph",
    "PySide6-Essentials",
    "pyyaml",
    "regex",
    "safetensors",
    "tokenizers",
    "toolz",
    "torch",
    "tornado",
    "tqdm",
    "transformers",
    "typing-extensions",
    "ziafont",
    "ziamath",
)
"""Distributions whose version is looked up while the app runs."""

EXCLUDED_MODULES = {
    "IPython": "the app has no notebook",
    "PySide6.QtNetwork": "the app opens no connection",
    "PySide6.QtTest": "pyqtgraph's own tests use it",
    "hf_xet": "downloads from a model hub",
    "jax": "transformers asks for it",
    "pandas": "only `attnviz.sweep` in Python returns a data frame",
    "pyarrow._flight": "Arrow over a network",
    "pyarrow._parquet_encryption": "encrypted tables",
    "pyarrow._s3fs": "Arrow in a cloud",
    "pytest": "numpy's and torch's own tests use it",
    "readline": "the app edits no lines in a terminal; the library is under the GPL",
    "setuptools": "only a build needs it",
    "tensorflow": "transformers asks for it",
    "tkinter": "matplotlib's windows use it",
    "torch.utils.benchmark": "torch's own timer",
    "torch.utils.tensorboard": "the app writes no event files",
    "torchvision": "images come from Pillow",
    "zstandard": "compressed downloads and messages",
}
"""Modules that no code path of the app imports, with what would."""

EXCLUDED_FILES = {
    "torch/bin/*": "torch's compilers and tests",
    "torch/include/*": "headers",
    "torch/lib/libaoti_custom_ops.so": "torch's tests",
    "torch/lib/libbackend_with_compiler.so": "torch's tests",
    "torch/lib/libjitbackend_test.so": "torch's tests",
    "torch/lib/libtorchbind_test.so": "torch's tests",
    "torch/share/*": "for building against torch",
    "torch/test/*": "torch's tests",
    "pyarrow/include/*": "headers",
    "pyarrow/src/*": "sources",
    "pyarrow/tests/*": "pyarrow's tests",
    "*libarrow_flight.so*": "Arrow over a network",
    "*libarrow_python_flight.so*": "Arrow over a network",
    "*libarrow_python_parquet_encryption.so*": "encrypted tables",
    "*libarrow_s3.so*": "Arrow in a cloud",
    "PySide6/Qt/plugins/egldeviceintegrations/*": "screens without a desktop",
    "PySide6/Qt/plugins/generic/*": "touch screens without a desktop",
    "PySide6/Qt/plugins/networkinformation/*": "the app opens no connection",
    "PySide6/Qt/plugins/platforms/libqeglfs.so": "screens without a desktop",
    "PySide6/Qt/plugins/platforms/libqlinuxfb.so": "screens without a desktop",
    "PySide6/Qt/plugins/platforms/libqminimal*": "Qt's examples",
    "PySide6/Qt/plugins/platforms/libqvnc.so": "a screen over a network",
    "PySide6/Qt/plugins/platforms/libqvkkhrdisplay.so": "screens without a desktop",
    "PySide6/Qt/plugins/platformthemes/libqgtk3.so": "it brings GTK along",
    "PySide6/Qt/plugins/tls/*": "the app opens no connection",
    "PySide6/Qt/translations/*": "Qt's own sentences in languages that the app does not speak",
    "libexpat.so.1": "the system's own comes with libgl1, and older ones than this machine's will do",
    "libgcc_s.so.1": "every system has its own, and its graphics driver may need a newer one than this machine's",
    "libstdc++.so.6": "every system has its own, and its graphics driver may need a newer one than this machine's",
    "matplotlib/mpl-data/sample_data/*": "examples",
    "matplotlib/mpl-data/images/*": "the buttons of matplotlib's windows",
}
"""Patterns of collected files that the app does not open, with what does."""

STRIPPED = ("libpython*", "torch/lib/libtorch*")
"""Libraries whose symbol tables are removed, as they are large. Not all: `strip` breaks what auditwheel has altered."""

NEEDED = ("PySide6/Qt/translations/qtbase_zh_CN.qm", "torch/bin/torch_shm_manager")
"""Files that are collected although a pattern of `EXCLUDED_FILES` covers them."""


def is_used(module: str) -> bool:
    """Return whether a module of a package that is collected whole belongs into the bundle: its tests do not."""
    return not {"tests", "testing", "testing_utils"} & set(module.split("."))


def belongs(path: str) -> bool:
    """Return whether a collected file, by its path in the bundle, is one that the app may open."""
    path = path.replace("\\", "/")
    for folder in ("plugins", "translations"):  # on Windows
        path = path.replace(f"PySide6/{folder}/", f"PySide6/Qt/{folder}/")
    return path in NEEDED or not any(fnmatchcase(path, pattern) for pattern in EXCLUDED_FILES)


def reachable(libraries: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the paths of the binaries that the bundle needs.

    A package loads those in its own folder. A library of the system or of Qt is there because another binary needs it,
    which may have been left out.

    Args:
        libraries: for each path in the bundle, the names of the libraries that it is linked against.
    """
    by_name: dict[str, list[str]] = {}
    for path in filter(_is_shared, libraries):
        by_name.setdefault(PurePosixPath(path).name, []).append(path)
    needed = {path for path in libraries if not _is_shared(path)}
    waiting = [*needed]
    while waiting:
        found = {path for name in libraries[waiting.pop()] for path in by_name.get(name, ())} - needed
        needed |= found
        waiting += found
    return needed


def _is_shared(path: str) -> bool:
    """Return whether a binary is a library of the system or of Qt, rather than a module or a package's own."""
    folder, name = PurePosixPath(path).parent, PurePosixPath(path).name
    is_library = name.startswith("lib") and ".so" in name and not name.startswith("libpython")  # the program loads that
    return is_library and str(folder) in (".", "PySide6/Qt/lib")
