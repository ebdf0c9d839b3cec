"""Loads the model of a validated folder: transformers builds it from the cleaned configuration and our weights.

The weights are read from their files as plain bytes and passed to transformers, which never sees the folder: nothing in
it can redirect the loading, and later changes of a file have no effect (a memory-mapped file that changes would crash
the process). No network is accessed.
"""

import copy
import dataclasses
import inspect
import math
import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import torch

from attnviz.definitions.text import Text, nearest_word
from attnviz.engine import memory
from attnviz.engine.machine import RunError
from attnviz.engine.model.building import built
from attnviz.engine.model.folder import OF_LAYERS, Folder, check, is_unchanged, reading, tokenizer_of
from attnviz.engine.model.images.families import FAMILIES
from attnviz.engine.model.images.patches import Patches
from attnviz.engine.model.tokenizer.chat import chat_template_of
from attnviz.engine.model.tokenizer.tokens import Tokens
from attnviz.experiment.run import ShouldStop, StoppedError
from attnviz.log import first_line
from attnviz.versions import installation_of, installed_version, wrong_version

Head = Literal["next", "masked", "class", ""]
Kind = Literal["decoder", "encoder", "encoder-decoder"]

_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_DEACTIVATE_ASYNC_LOAD": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "TRANSFORMERS_VERBOSITY": "error",
}
_OTHER_INPUTS = {
    "pixel_values": "image",
    "pixel_values_videos": "video",
    "input_values": "audio",
    "input_features": "audio",
}
"""Descriptions of inputs other than text, by the name of a model's main input."""
_NOT_TEXT = re.compile(r"pixel_|image|visual|video|audio|input_(values|features)")
"""Matches the names of inputs that are not text."""
_SEES_ALL = ("xlnet",)
"""Families whose prediction at a token has already seen it: they do not predict the next one."""
_UNUSED = "pooler"
"""A part after the last hidden state that some encoders have; folders of masked models lack its weights."""
_ENCODER_ALONE = "EncoderModel"
"""The suffix of class names for the encoder of an encoder-decoder."""
_LEARNED_POSITIONS = ("position_embeddings", "position_embedding", "embed_positions", "wpe")

_NOT_OF_TEXT = ("vision", "visual", "image", "video", "audio")
"""Parts of module paths for images or sound."""


@dataclass
class Loaded:
    """A model ready to run."""

    folder: Folder
    model: Any
    """A torch module in evaluation mode; only the encoder in a folder that was saved as one."""
    tokens: Tokens | Patches
    """What makes tokens of a text, or of an image."""
    head: Head
    """The prediction of its logits: the next or the masked token, or the class of an image; "" without logits."""
    kind: Kind
    most_tokens: int | None
    """The longest text that it has positions for; None if unlimited."""
    left_out: tuple[str, ...] = ()
    """Inputs beside text that it accepts and does not get here, as transformers names them: "image", "video", "audio".
    """


def transformers() -> Any:
    """Return transformers, configured before its first import to neither access the network nor write anything.

    Raises:
        RunError: it is not installed or too old; says how to install it.
    """
    version = installed_version("transformers")
    missing = f"it is not installed: {installation_of('transformers')}"
    if problem := wrong_version("transformers", version) if version else missing:
        raise RunError("no_transformers", "opening a model needs the package transformers; {problem}", problem=problem)
    os.environ.update(_OFFLINE)
    try:
        import transformers as package
    except Exception as error:  # a broken installation may raise anything
        sentence = "the package transformers cannot be loaded: {error}"
        raise RunError("no_transformers", sentence, error=first_line(error)) from error
    return package


def load(folder: Folder, dtype: str, device: torch.device, should_stop: ShouldStop) -> Loaded:
    """Return the model of a folder with its weights in a dtype, to read texts.

    Raises:
        RunError: it is no such model, has changed since it was validated, or needs more memory than is free.
        StoppedError: cancelled.
    """
    package = transformers()
    memory.reuse_freed()
    check_unchanged(folder)
    chosen = _chosen(package, folder, should_stop)
    content = tokenizer_of(folder.path).decode("utf-8", "replace")
    model = with_weights(folder, chosen, dtype, device, should_stop)
    if chosen.family.__name__.endswith(_ENCODER_ALONE):
        model = model.get_encoder()
        if not hasattr(model, "config"):  # FSMT's encoder is not a model of transformers
            model.config = copy.copy(chosen.config)
            model.config.is_encoder_decoder = False
    rows = _vocabulary_of(model, folder.model_type)
    most = most_positions_of(model, chosen.config)
    tokens = Tokens(content, rows, should_stop, chat=chat_template_of(folder.path))
    return Loaded(folder, model, tokens, chosen.head, chosen.kind, most, chosen.left_out)


def with_weights(folder: Folder, chosen: "Chosen", dtype: str, device: torch.device, should_stop: ShouldStop) -> Any:
    """Return the model of a chosen class with the folder's weights, in evaluation mode; raises as `load`."""
    family, config = chosen.family, chosen.config
    with telling(folder):
        planned = built(lambda: _planned(family, config), len(folder.weights), should_stop)
    number = getattr(torch, dtype)
    _check_sizes(planned, folder)
    _require(planned, folder, number, device)
    weights: dict[str, torch.Tensor] = {}
    for name, tensor in _weights(folder, number, _kept_wide(planned), chosen.skipped):
        if should_stop():
            raise StoppedError
        weights[name] = tensor
    check_unchanged(folder)  # another program may have written the files while they were read
    with telling(folder), torch.random.fork_rng(devices=[]):
        model, loading_info = family.from_pretrained(
            None,
            config=config,
            state_dict=weights,
            dtype=number,
            attn_implementation="eager",
            use_safetensors=True,
            local_files_only=True,
            trust_remote_code=False,
            ignore_mismatched_sizes=True,  # they are reported below in a message
            output_loading_info=True,
        )
    weights.clear()
    _check_loading_info(loading_info, len(planned.state_dict()))
    return model.to(device).eval().requires_grad_(False)


def _vocabulary_of(model: Any, family: str) -> int:
    """Return the number of rows of a model's token embedding.

    Raises:
        RunError: it has none, as CANINE.
    """
    try:
        return int(model.get_input_embeddings().weight.shape[0])
    except (NotImplementedError, AttributeError):
        tokens = getattr(model, "embed_tokens", None)  # FSMT's encoder has no method for it
        if isinstance(tokens, torch.nn.Embedding):
            return tokens.num_embeddings
    raise RunError("model_not_of_text", "a model of the family {family} has no token embedding", family=family)


def _planned(family: Any, config: Any) -> Any:
    """Return a model whose weights have shapes but no storage."""
    with torch.device("meta"):
        return family(config)


@dataclass(frozen=True)
class Chosen:
    """The class and configuration that a folder is opened with."""

    family: Any
    """The class of transformers."""
    head: Head
    kind: Kind
    config: Any
    left_out: tuple[str, ...] = ()
    skipped: str = ""
    """What the names of weights begin with that are not read: those of the other side of a family with two."""


def _chosen(package: Any, folder: Folder, should_stop: ShouldStop) -> Chosen:
    """Return the class and configuration that a folder is opened with."""
    known, family = package.CONFIG_MAPPING, folder.model_type
    config, made_by = config_of(package, folder, should_stop), makers_of(folder)
    if family in FAMILIES:
        side = getattr(package, FAMILIES[family].text_side, None)
        if side is not None:
            return Chosen(side, "", "encoder", config.text_config, skipped="vision_model.")
    with telling(folder):
        plain, causal, masked, multimodal = (
            _class_of(getattr(package, f"MODEL_{for_what}MAPPING").get(known[family], None), made_by)
            for for_what in ("", "FOR_CAUSAL_LM_", "FOR_MASKED_LM_", "FOR_MULTIMODAL_LM_")
        )
        encoder = _encoder_of(package, known[family], made_by)
        answering = package.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING.get(known[family], None)
    plain = plain or multimodal
    if plain is None:
        raise RunError("model_unknown", "transformers has no model of the family {family}", family=family)
    inputs = (plain.input_modalities,) if isinstance(plain.input_modalities, str) else plain.input_modalities
    main = plain.main_input_name
    if inputs == ("text",) and main != "input_ids":  # its class keeps the default of all models
        inputs = (_OTHER_INPUTS.get(main, main),)
    elif "text" in inputs and not any(map(_NOT_TEXT.match, inspect.signature(plain.forward).parameters)):
        inputs = ("text",)  # the text model of a multimodal family keeps the family's list
    has_decoder = getattr(config, "is_encoder_decoder", False)
    # A model that answers images or sound with text also reads text alone; one that compares them, such as CLIP, does
    # not.
    reads_text = inputs == ("text",) or ("text" in inputs and multimodal is not None and not has_decoder)
    if not reads_text or main != "input_ids":
        sentence = "a model of the family {family} takes {inputs}; this lab takes text"
        raise RunError("model_not_of_text", sentence, family=family, inputs=", ".join(inputs))
    chosen = partial(Chosen, config=config, left_out=tuple(each for each in inputs if each != "text"))
    if encoder is not None:
        return chosen(encoder, "", "encoder")
    if has_decoder and answering is not None and answering.__name__ in made_by:
        return chosen(answering, "next", "encoder-decoder")
    if has_decoder:
        return chosen(plain, "", "encoder-decoder")
    looks_back = masked is None or getattr(config, "is_decoder", False) or getattr(config, "causal", False)
    answers = [each for each in (causal, multimodal) if each is not None]
    is_causal = bool(answers) and looks_back and family not in _SEES_ALL
    kind: Kind = "decoder" if is_causal else "encoder"
    with_head = next((each for each in (answers if is_causal else [masked]) if each and each.__name__ in made_by), None)
    if with_head is None:
        return chosen(plain, "", kind)
    return chosen(with_head, "next" if is_causal else "masked", kind)


def config_of(package: Any, folder: Folder, should_stop: ShouldStop, **further: Any) -> Any:
    """Return the configuration of a folder, of a family that transformers knows."""
    known, family = package.CONFIG_MAPPING, folder.model_type
    if family not in known:
        nearest = nearest_word(family, known.keys(), cutoff=0.6)
        sentence = "transformers {version} has no family {family}, and code of a folder is never run{nearest}"
        raise RunError("model_unknown", sentence, version=package.__version__, family=family, nearest=nearest)
    with telling(folder):
        values = without_methods(known[family], folder.config) | further
        return built(lambda: package.AutoConfig.for_model(family, **values), len(folder.weights), should_stop)


def makers_of(folder: Folder) -> Sequence[Any]:
    """Return the names of the classes that saved a folder, as it gives them."""
    made_by = folder.config.get("architectures")
    return made_by if isinstance(made_by, list) else []


def _encoder_of(package: Any, of_family: type, made_by: Sequence[str]) -> Any:
    """Return the class of only an encoder-decoder's encoder, such as T5EncoderModel, if the folder was saved by it."""
    names = (name for name in made_by if isinstance(name, str) and name.endswith(_ENCODER_ALONE))
    classes = (getattr(package, name, None) for name in names)
    return next((each for each in classes if getattr(each, "config_class", None) is of_family), None)


def _class_of(classes: Any, made_by: Sequence[str]) -> Any:
    """Return one class of a family with several: the one that saved the folder, or the first."""
    several = classes if isinstance(classes, tuple) else (classes,)
    return next((each for each in several if each is not None and each.__name__ in made_by), several[0])


def without_methods(of_family: type, config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration without keys that would shadow a method or an attribute shared by the family."""
    fields = {field.name for field in dataclasses.fields(of_family)} if dataclasses.is_dataclass(of_family) else set()
    fields |= {OF_LAYERS, *getattr(of_family, "attribute_map", {})}
    return {key: value for key, value in config.items() if key in fields or not hasattr(of_family, key)}


@contextmanager
def telling(folder: Folder) -> Iterator[None]:
    """Turn errors of transformers about a configuration or weights, which may be anything, into one message."""
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    except (RunError, StoppedError):
        raise
    except Exception as error:
        if memory.ran_out(error):
            raise
        why = " ".join(str(error).split())[:300] or type(error).__name__
        sentence = "transformers can make no {family} model of {folder}: {error}"
        values = {"family": folder.model_type, "folder": str(folder.path), "error": why}
        raise RunError("model_config", sentence, **values) from error


def _check_sizes(planned: Any, folder: Folder) -> None:
    """Check that the model described by the configuration is no larger than the weights in the files."""
    tied = getattr(planned, "all_tied_weights_keys", None) or ()
    computed = [re.compile(key) for key in getattr(planned, "_keys_to_ignore_on_load_missing", None) or ()]
    own = {
        name: each.shape
        for name, each in planned.named_parameters()
        if _UNUSED not in name and name not in tied and not any(key.search(name) for key in computed)
    }
    count = sum(map(math.prod, own.values()))
    if count <= folder.parameters:
        return
    prefix = f"{planned.base_model_prefix}."
    for name, wanted in sorted(own.items(), key=lambda each: -math.prod(each[1])):
        for known in (name, prefix + name, name.removeprefix(prefix)):
            if known in folder.weights and folder.weights[known].shape != wanted:
                raise _apart(known, wanted, folder.weights[known].shape)
    sentence = "config.json describes a model of {wanted} numbers, but the files hold {found}: weights are missing"
    raise RunError("weights_missing", sentence, wanted=count, found=folder.parameters)


def _apart(name: str, *shapes: Sequence[int]) -> RunError:
    wanted, found = (" x ".join(map(str, shape)) or "1" for shape in shapes)
    sentence = "the weight {name} is {found} in the file, but {wanted} by config.json: they belong to different models"
    return RunError("weights_apart", sentence, name=name, wanted=wanted, found=found)


def _require(planned: Any, folder: Folder, number: torch.dtype, device: torch.device) -> None:
    """Check the memory: for the weights, for one of them while it is read, and for the model's own buffers."""
    sizes = [weight.size for weight in folder.weights.values()]
    weights = sum(sizes) * number.itemsize
    own = sum(buffer.nbytes for buffer in planned.buffers())
    remedy = Text("a smaller model, or float16, needs less")
    memory.require(weights + 2 * max(sizes) * max(4, number.itemsize) + 4 * own, torch.device("cpu"), remedy)
    if device.type != "cpu":
        memory.require(weights + own, device, remedy)


def _kept_wide(planned: Any) -> set[str]:
    """Return the parts whose weights transformers keeps in float32 when the rest is in half precision."""
    lists = (getattr(planned, f"_keep_in_fp32_modules{which}", None) for which in ("", "_strict"))
    return {name for names in lists for name in names or ()}


def _weights(folder: Folder, number: torch.dtype, wide: set[str], skipped: str) -> Iterator[tuple[str, torch.Tensor]]:
    """Read the weights, each into memory of its own, floating-point ones in one dtype.

    ``wide`` parts are not narrowed here; transformers decides about them. Those that ``skipped`` begins are left out.
    """
    for name, weight in folder.weights.items():
        if skipped and name.startswith(skipped):
            continue
        content = torch.empty(weight.end - weight.start, dtype=torch.uint8, device="cpu")
        with reading(folder.path / weight.file) as file:
            file.seek(weight.start)
            if file.readinto(content.numpy().data) < len(content):
                raise _changed(folder)
        is_kept = not weight.dtype.is_floating_point or any(f".{part}." in f".{name}." for part in wide)
        yield name, content.view(weight.dtype).view(weight.shape).to(weight.dtype if is_kept else number)


def check_unchanged(folder: Folder) -> None:
    """Raise a RunError if the files of a folder have changed since it was validated."""
    if not is_unchanged(folder):
        check(
            folder.path, of_images=folder.of_images
        )  # its message is more specific if the folder no longer holds a model
        raise _changed(folder)


def _changed(folder: Folder) -> RunError:
    return RunError("folder_changed", "{folder} changed while it was read; open it again", folder=str(folder.path))


def _check_loading_info(info: Mapping[str, Any], count: int) -> None:
    """Check that every weight was found; a model with random ones would still run."""
    for name, shape, wanted in sorted(info["mismatched_keys"]):
        raise _apart(name, wanted, shape)
    if missing := sorted(name for name in info["missing_keys"] if _UNUSED not in name):
        sentence = "{missing} of the model's {total} weights are missing in the files, {name} first"
        raise RunError("weights_missing", sentence, name=missing[0], missing=len(missing), total=count)
    if info.get("error_msgs"):
        raise RunError("model_config", "the weights cannot be loaded: {error}", error=str(info["error_msgs"][0])[:300])


def most_positions_of(model: Any, config: Any) -> int | None:
    """Return the number of positions of a model, if it learned them or configures it."""
    for path, module in model.named_modules():
        is_of_text = not any(part in path for part in _NOT_OF_TEXT)
        if is_of_text and isinstance(module, torch.nn.Embedding) and path.rpartition(".")[2] in _LEARNED_POSITIONS:
            # RoBERTa and OPT start counting after the index of the padding token.
            begin = module.padding_idx + 1 if module.padding_idx is not None else getattr(module, "offset", 0)
            return int(module.num_embeddings) - begin
    most = getattr(config.get_text_config(), "max_position_embeddings", None)
    return most if isinstance(most, int) and most > 0 else None
