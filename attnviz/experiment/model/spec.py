"""The spec of the model lab: a folder with a pretrained transformer, a text, and interventions.

Heads are named "3.4", layer and head from 1; token positions count from 0. The numbers of layers, heads and tokens are
known only when the folder has been read: a name beyond them is rejected by the run.
"""

import contextlib
import os
import re
from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import FailFast, SerializerFunctionWrapHandler, field_validator, model_serializer, model_validator
from typing_extensions import override

from attnviz.definitions.counting import SCREEN
from attnviz.definitions.number_formats import NUMBER_FORMATS
from attnviz.definitions.text import Text, number_said, untranslated
from attnviz.experiment.bases import SpecBase
from attnviz.experiment.fields.knob import (
    Number,
    OneOf,
    TypedText,
    Whole,
    WholeOrNone,
    device_knob,
    in_order,
    knob,
    seed_knob,
)
from attnviz.experiment.fields.problems import problem
from attnviz.experiment.model.generation import MOST_ID, MOST_NEW, Choose, ChosenTokens, CountOfNew, Sampling
from attnviz.experiment.model.interventions.heads_off import HEADS_OFF, Ablation
from attnviz.experiment.model.interventions.intervention import Intervention
from attnviz.experiment.model.interventions.painted import PAINTED, PaintedMasks
from attnviz.experiment.model.interventions.patch import PATCH, Patch
from attnviz.experiment.model.interventions.temperature import TEMPERATURE
from attnviz.experiment.model.interventions.tokens_hidden import TOKENS_HIDDEN
from attnviz.experiment.model.sides import HeadsOnSides, Kind, at_of
from attnviz.experiment.view_settings import Place
from attnviz.folders import MissingResourceError, resource

OWN_FOLDER = "models/induction"
"""The included model, in the resources."""
OWN_TEXT = "then one red fox ran home and one red fox ran"
"""A text of words that this model knows; its repetition continues with "home"."""
OWN_IMAGE = "images/shapes.png"
"""The included image, in the resources."""
MAX_TEXT = 20_000
"""The most characters of a text."""
Token = Place
"""A token by its position."""
_GENERATION = "Generation"
"""The group of the fields about tokens that the model continues the text with."""
_CHANGE = "Interventions"
"""The group of the fields that define an intervention, or modify one."""
_LATER = ("chat", "target", "forced_bos_token_id", "image", "generate", "choose", "sampling", "chosen")
"""Fields that earlier versions do not know; they are written only if they differ from their defaults."""
_SAYS_HOW = ("ablation",)
"""Fields that modify another intervention."""


class FolderPath:
    """Marks a field that holds the path of a folder with a model: ``Annotated[str, FolderPath()]``."""


class ImagePath:
    """Marks a field that holds the path of an image file: ``Annotated[str, ImagePath()]``."""


class ReadByModel:
    """Marks a field of a text that a model reads."""


class TokenOfFolder:
    """Marks a field that holds the number of a token of the folder, or None."""


class _FromOne(TypedText):
    """Tokens, and heads at tokens, counted as on screen."""

    @override
    def typed(self, value: tuple[int | Patch, ...]) -> str:
        at = [(f"{each.head} · ", each.token) if isinstance(each, Patch) else ("", each) for each in value]
        return ", ".join(f"{head}{SCREEN.number(token)}" for head, token in at)


class _StepsFromOne(TypedText):
    """Tokens by step, counted as on screen."""

    @override
    def typed(self, value: ChosenTokens) -> str:
        return ", ".join(f"{SCREEN.number(step)}: {token}" for step, token in value.by_step.items())


class ModelSpec(SpecBase):
    """A pretrained transformer on a text, with interventions. Its JSON names are fixed."""

    has_layers: ClassVar[bool] = True
    sizes_known: ClassVar[bool] = False
    """The numbers of layers and heads are in the folder."""
    lab: Literal["model"] = knob("model", "Lab", "Which experiment this is.", group="")
    folder: Annotated[str, FolderPath()] = knob(
        OWN_FOLDER,
        "Folder",
        "A Hugging Face folder on this machine, with config.json, tokenizer.json and *.safetensors. Nothing is loaded "
        "from the network.",
        group="Model",
        max_length=4096,
    )
    text: Annotated[str, ReadByModel()] = knob(
        OWN_TEXT, "Text", "The text that the model reads.", group="Text", max_length=MAX_TEXT
    )
    text_b: Annotated[str, ReadByModel()] = knob(
        "", "Text B", "A second text, to compare with and to patch from.", group="Text", max_length=MAX_TEXT
    )
    special_tokens: bool = knob(
        True, "Special tokens", "Add those that the tokenizer puts around a text, such as [CLS].", group="Text"
    )
    chat: bool = knob(
        False,
        "Chat",
        "Wrap the text as a user's turn with the folder's chat template, as chat models expect it.",
        group="Text",
    )
    target: Annotated[str, ReadByModel()] = knob(
        "",
        "Target",
        "What an encoder-decoder has written so far; it goes on from there. Empty: it writes by itself.",
        group="Text",
        max_length=MAX_TEXT,
    )
    forced_bos_token_id: Annotated[WholeOrNone, TokenOfFolder()] = knob(
        None,
        "First token",
        "The token that an encoder-decoder begins its answer with, such as the language it translates into.",
        group="Text",
        nothing="as the folder says",
        ge=0,
        le=MOST_ID,
    )
    image: Annotated[str, ImagePath()] = knob(
        "",
        "Image",
        "A PNG or JPEG file, which a vision transformer or the image side of CLIP or SigLIP reads instead of the text.",
        group="Image",
        max_length=4096,
    )
    heads_off: Annotated[HeadsOnSides, HEADS_OFF] = knob(
        (), "Heads off", "Heads to turn off (ablate), as layer.head.", group=_CHANGE, max_length=4096
    )
    tokens_hidden: Annotated[tuple[Token, ...], FailFast(), in_order(), _FromOne(), TOKENS_HIDDEN] = knob(
        (), "Hidden tokens", "Tokens that no token may attend to.", group=_CHANGE, max_length=4096
    )
    temperature: Annotated[Number, TEMPERATURE] = knob(
        1.0,
        "Temperature",
        "The scores of all heads are divided by it: small is sharp, large is even.",
        group=_CHANGE,
        slider=(0.1, 4),
        ge=1e-6,  # scores divided by less are not finite in float32
        le=1e6,
    )
    patch: Annotated[tuple[Patch, ...], FailFast(), in_order(attrgetter("order")), _FromOne(), PATCH] = knob(
        (),
        "Patches",
        "Activation patching: outputs of heads at a token, taken from text B at the same position.",
        group=_CHANGE,
        max_length=256,
    )
    painted: Annotated[PaintedMasks, PAINTED] = knob(
        PaintedMasks(), "Painted", "Cells forbidden by hand, of a head or of a layer.", group=_CHANGE
    )
    ablation: Ablation = knob(
        "zero",
        "Off means",
        "What an ablated head outputs: zeros, or its mean over the tokens.",
        group=_CHANGE,
        titles={"zero": "Zeros", "mean": "Its mean"},
    )
    generate: Annotated[Whole, CountOfNew()] = knob(
        0,
        "New tokens",
        "The most tokens that the model continues the text with; 0: it only reads the text.",
        group=_GENERATION,
        slider=(0, 64),
        stops=(0, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64),
        ge=0,
        le=MOST_NEW,
    )
    choose: Choose = knob(
        "top",
        "Choose",
        "The next token: the most probable one at each step, or drawn by its probability. Beams are not searched.",
        group=_GENERATION,
        titles={"top": "Most probable", "sample": "Sample"},
    )
    sampling: Sampling = knob(
        Sampling(),
        "Sampling",
        "How a token is drawn: the logits are divided by the sampling temperature, then the most probable tokens kept.",
        group=_GENERATION,
    )
    dtype: Annotated[str, OneOf(NUMBER_FORMATS)] = knob(
        "float32", "Precision", "Precision (dtype) the model computes in.", group="More"
    )
    device: str = device_knob()
    seed: Whole = seed_knob("Decides the sampled tokens.", group=_GENERATION)
    chosen: Annotated[ChosenTokens, _StepsFromOne()] = knob(
        ChosenTokens(), "Chosen", "Tokens that you chose in place of the model's.", group=_GENERATION
    )

    @field_validator("folder")
    @classmethod
    def _folder_named(cls, folder: str) -> str:
        if not folder.strip():  # as a path it would be the current folder
            sentence = "folder is empty; choose a folder with a model; nearest: {nearest}"
            raise problem("folder", "folder_empty", sentence, nearest=OWN_FOLDER)
        return folder

    @model_serializer(mode="wrap")
    def _leave_out_defaults(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Omit the fields that earlier versions do not know if they have their defaults."""
        written: dict[str, Any] = write(self)
        return {name: each for name, each in written.items() if name not in _LATER or name in self._later}

    @model_validator(mode="after")
    def _check_chosen(self) -> Self:
        last = max(self.chosen.by_step, default=-1)
        if last >= self.generate:
            words = {"step": last, "count": self.generate}
            if self.generate:
                sentence = (
                    "chosen has a token for step {step}, but {count} are generated, steps 0..{last}; nearest: {last}"
                )
                raise problem("chosen", "chosen_beyond", sentence, last=self.generate - 1, **words)
            sentence = "chosen has a token for step {step}, but generate is 0; nearest: no chosen tokens"
            raise problem("chosen", "chosen_without", sentence, **words)
        return self

    @model_validator(mode="after")
    def _check_image(self) -> Self:
        if self.image and self.generate:
            sentence = "generate is {count}, but an image is read, which no token continues; nearest: 0"
            raise problem("generate", "image_generates", sentence, count=self.generate)
        if self.image and self.patch:
            sentence = "patch takes the output of a head from text_b, but an image is read; nearest: no patch"
            in_form = "A patch takes the output of a head from text B, but an image is read; nearest: no patch"
            raise problem("patch", "image_patched", sentence, in_form)
        return self

    @model_validator(mode="after")
    def _check_text_b(self) -> Self:
        if self.patch and not self.text_b:
            sentence = "patch takes the output of a head from text_b, which is empty; nearest: no patch"
            in_form = "A patch takes the output of a head from text B, which is empty; nearest: no patch"
            raise problem("text_b", "patch_without_text", sentence, in_form)
        return self

    @property
    def _later(self) -> set[str]:
        """The fields that earlier versions do not know, and that differ from their defaults."""
        fields = type(self).model_fields
        return {name for name in _LATER if getattr(self, name) != fields[name].default}

    @property
    @override
    def session_format(self) -> int:
        return 6 if self._later or self._names_sides else 5

    @property
    def _names_sides(self) -> bool:
        """Whether an intervention is on a side of an encoder-decoder that earlier versions do not know."""
        heads = (head for name, each in self.interventions().items() for head in each.heads(getattr(self, name)))
        return any(at_of(head).kind != "self" for head in heads)

    @property
    def steps(self) -> int:
        """The number of passes after the one that reads the text: the last new token is not read."""
        return max(0, self.generate - 1)

    @property
    @override
    def waits(self) -> bool:
        return False

    @override
    def keeps_step_of(self, other: object) -> bool:
        """Return whether only interventions differ, so that their effect is seen at the token on screen."""
        return isinstance(other, ModelSpec) and self.trains and self.without_changes == other.without_changes

    @property
    @override
    def motion(self) -> str:
        return "generation"

    @property
    @override
    def subject(self) -> Text:
        return untranslated(self.path.name)

    @property
    def path(self) -> Path:
        """The folder on this machine: an included one, such as "models/induction", or the user's own."""
        return _included(self.folder, "models")

    @property
    def image_path(self) -> Path:
        """The image on this machine: the included one, "images/shapes.png", or the user's own."""
        return _included(self.image, "images")

    @property
    def drawn_said(self) -> Text:
        """How its tokens are drawn, as a short text; empty if none are."""
        if not self.generate or self.choose != "sample":
            return Text()
        of = self.sampling
        values = {"temperature": number_said(of.temperature), "k": of.top_k, "p": number_said(of.top_p)}
        sentence = "sampled at {temperature}, top k {k}, top p {p}, seed {seed}"
        return Text(sentence, {**values, "seed": self.seed})

    def pairs_off(self, kind: Kind = "self") -> tuple[tuple[int, int], ...]:
        """Return the ablated heads of a kind of attention, as (layer, head) from 0."""
        return tuple((at.layer, at.head) for at in map(at_of, self.heads_off) if at.kind == kind)

    @classmethod
    @override
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls._check_interventions()

    @classmethod
    def _check_interventions(cls) -> None:
        """Raise a TypeError for an intervention without a record, which acts without a name, or with wrong heads."""
        extras = {name: field.json_schema_extra for name, field in cls.model_fields.items()}
        of_changes = {name for name, extra in extras.items() if isinstance(extra, dict) and extra["group"] == _CHANGE}
        if unexplained := of_changes - set(cls.interventions()) - set(_SAYS_HOW):
            names = ", ".join(sorted(unexplained))
            raise TypeError(f"{cls.__name__}: the fields {names} change a run and carry no Intervention")
        for name, record in cls.interventions().items():
            if list(record.heads(cls.model_fields[name].default)):
                raise TypeError(f"{cls.__name__}.{name}: there are heads in the default, which has no effect")

    @classmethod
    def interventions(cls) -> dict[str, Intervention]:
        """Return the record of every intervention by its field, in the order in which they act and are listed."""
        fields = cls.model_fields.items()
        return {name: each for name, field in fields for each in field.metadata if isinstance(each, Intervention)}

    @property
    def acting(self) -> dict[str, Intervention]:
        """The active interventions, by field."""
        usual = self.without_changes
        return {
            name: each for name, each in self.interventions().items() if getattr(self, name) != getattr(usual, name)
        }

    @property
    def has_changes(self) -> bool:
        """Whether an intervention is active."""
        return self != self.without_changes

    @property
    def without_changes(self) -> Self:
        """The same without any intervention."""
        usual = {name: type(self).model_fields[name].default for name in self.interventions()}
        return self.model_copy(update=usual)

    @property
    def without_choices(self) -> Self:
        """The same with the model's own tokens in place of those that the user chose."""
        return self.model_copy(update={"chosen": ChosenTokens()})

    @property
    def of_text_b(self) -> Self:
        """The same model, without interventions, on text B."""
        return self.without_changes.without_choices.model_copy(update={"text": self.text_b, "text_b": ""})

    @property
    def name_parts(self) -> tuple[str, ...]:
        """The parts of a proposed file name for its run."""
        name = self.folder.replace("\\", "/").rstrip("/").rpartition("/")[2]
        return "model", re.sub(r"[^\w.-]", "-", name), "changed" if self.has_changes else ""

    @classmethod
    def active_fields(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the fields that have an effect, given these (perhaps invalid) values."""
        continues, draws = bool(values.get("generate")), values.get("choose") == "sample"
        reads_text = not values.get("image")
        acts = {
            "text": reads_text,
            "text_b": reads_text or values.get("patch"),
            "chat": reads_text,
            "target": reads_text,
            "forced_bos_token_id": reads_text,
            "patch": (values.get("text_b") and reads_text) or values.get("patch"),
            "painted": values.get("painted"),
            "special_tokens": reads_text and not values.get("chat"),
            "generate": reads_text or continues,
            "choose": continues,
            "sampling": continues and draws,
            "seed": continues and draws,
            "chosen": values.get("chosen"),
        }
        return frozenset(name for name in cls.model_fields if acts.get(name, True))


def _included(name: str, folder: str) -> Path:
    """Return a path of the user's own, or of something included if it begins with that folder of the resources."""
    path = Path(os.path.expanduser(name))
    if path.parts[:1] == (folder,) and ".." not in path.parts:
        with contextlib.suppress(MissingResourceError):
            return resource(name)
    return path


ModelSpec._check_interventions()  # pydantic calls the hook only for subclasses
