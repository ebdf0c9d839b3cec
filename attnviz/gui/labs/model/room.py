"""The model lab's room."""

from collections.abc import Mapping
from typing import Any, cast

from PySide6.QtCore import QPoint, QSettings, Slot
from PySide6.QtGui import QCursor, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QWidget
from typing_extensions import override

from attnviz.definitions.counting import SCREEN, name_at
from attnviz.definitions.text import Text
from attnviz.experiment.fields import painted
from attnviz.experiment.fields.differences import differing
from attnviz.experiment.labs import Spec
from attnviz.experiment.layers.head_names import heads_said
from attnviz.experiment.model.interventions.painted import PaintedMasks
from attnviz.experiment.model.interventions.patch import Patch
from attnviz.experiment.model.sides import OF_KIND, HeadAt, Kind, at_of, has_sides
from attnviz.experiment.model.spec import ModelSpec
from attnviz.experiment.model.trace import ModelTrace
from attnviz.experiment.model.view import ModelViewSettings
from attnviz.experiment.run import Failure
from attnviz.gui.labs.layered.room import LayerRoom
from attnviz.gui.labs.model.editors import EDITORS
from attnviz.gui.labs.model.editors.chips_edit import ChipsEdit
from attnviz.gui.labs.model.editors.folder_edit import FolderEdit
from attnviz.gui.labs.model.editors.image_edit import ImageEdit
from attnviz.gui.labs.model.editors.new_tokens_edit import NewTokensEdit
from attnviz.gui.labs.model.editors.reading_edit import ReadingEdit
from attnviz.gui.labs.model.editors.token_edit import TokenEdit
from attnviz.gui.labs.model.effects_part import Effects
from attnviz.gui.labs.model.generation_part import TokenRow
from attnviz.gui.labs.model.image_view import ImageView
from attnviz.gui.labs.model.inspector import ModelInspector
from attnviz.gui.labs.model.lens_grid import LensGrid
from attnviz.gui.labs.model.lens_parts import TopTokens
from attnviz.gui.labs.model.stage import ModelStage
from attnviz.gui.plots.heads.head_map import HeadMap
from attnviz.gui.plots.heads.head_points import HeadPoints
from attnviz.gui.plots.matrix.matrix import Cell
from attnviz.gui.plots.tensors.token_text import TokenText
from attnviz.gui.theme import Look
from attnviz.gui.widgets.selection import Selection
from attnviz.gui.widgets.words import failure_text, translate, with_patches

_FILES = frozenset({"folder", "file", "index"})
"""The words of a message that name the folder, or a file in it."""
_FIELDS_OF = {"no_tokens": "text", "too_many_tokens": "text", "unknown_word": "text"}
"""The fields of errors, by their codes; one that begins with "image_" is caused by the image."""
_AT = {
    "not_generating": "generate",
    "too_many_new_tokens": "generate",
    "chosen_unknown": "chosen",
    "no_chat_template": "chat",
    "chat_template": "chat",
    "target_unused": "target",
    "target_too_long": "target",
    "forced_bos_token_id_unused": "forced_bos_token_id",
    "forced_unknown": "forced_bos_token_id",
}
"""Error codes of fields, whichever was changed last."""


def _within(spec: ModelSpec, tokens: int) -> ModelSpec:
    """Return a spec without interventions on tokens beyond these, which are not generated any more."""
    masks = {name: painted.write(painted.forbidden(mask, tokens, tokens)) for name, mask in spec.painted.items()}
    hidden = tuple(token for token in spec.tokens_hidden if token < tokens)
    patches = tuple(patch for patch in spec.patch if patch.token < tokens)
    kept = {"painted": PaintedMasks({name: mask for name, mask in masks.items() if mask}), "tokens_hidden": hidden}
    return spec.model_copy(update={**kept, "patch": patches, "chosen": spec.chosen.up_to(spec.generate)})


def _of_encoder(spec: ModelSpec) -> ModelSpec:
    """Return a spec without the choices and interventions that are about tokens of a decoder."""
    painted_there = {name: mask for name, mask in spec.painted.items() if at_of(name).kind == "self"}
    patches = tuple(patch for patch in spec.patch if patch.at.kind == "self")
    return spec.without_choices.model_copy(update={"painted": PaintedMasks(painted_there), "patch": patches})


def _loses_row(before: ModelTrace, trace: ModelTrace, query: int | None) -> bool:
    """Return whether a chosen row is of other tokens now, or was the newest one, which follows a growing text."""
    one, other = before.read.ids, trace.read.ids
    return one != other and (one[: len(other)] != other[: len(one)] or query == len(one) - 1)


class ModelRoom(LayerRoom[ModelTrace, ModelViewSettings]):
    """A model from a folder: every head, the text, one head large, and interventions."""

    lab_name = "model"
    arrows_step = True
    editors = EDITORS
    with_gestures = (ModelStage, TokenText, ImageView, HeadMap, HeadPoints, LensGrid, TopTokens)
    stage: ModelStage
    inspector: ModelInspector

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        keys = {
            "X": lambda: self._switch("heads_off", (self._head_at(self.selection.current.head),)),
            "H": lambda: self._switch("tokens_hidden", self.stage.held_source),
            "Ctrl+L": lambda: self.field_asked.emit("text"),
        }
        keys |= {"Ctrl+Left": lambda: self.step_asked.emit(-1), "Ctrl+Right": lambda: self.step_asked.emit(1)}
        for key, act in keys.items():
            QShortcut(QKeySequence(key), self.stage, act)
        self.form.leave_out(("chat", "image", "target", "forced_bos_token_id"))  # until a trace tells
        for rank in range(1, 10):
            QShortcut(QKeySequence(str(rank)), self.stage, lambda place=rank - 1: self._choose_next(place))
        self.inspector.next.chosen.connect(self._choose_next)
        self.stage.lens.asked.connect(self.beside_changed)
        self.token_row = TokenRow()
        """The new token on screen, above the picture in Present."""
        self.stage.head.take_part(self.token_row)
        for row in (self.inspector.generation.steps, self.token_row):
            row.looked.connect(self.ask_step)
        for text in (self.stage.overview.text, self.stage.text.text, self.stage.text.back):
            text.menu_asked.connect(self._offer_for_token)
        for image in (self.stage.overview.image, self.stage.image.image, self.stage.image.back):
            image.menu_asked.connect(self._offer_for_token)
        self._chips("tokens_hidden").name_of = self._token_name
        self._chips("painted").name_of = lambda mask: self._mask_name(*mask)
        self._chips("chosen").name_of = lambda choice: self._choice_name(*choice)
        self._chips("patch").name_of = lambda patch: f"{patch.head} · {self._token_name(patch.token, patch.at.kind)}"
        self.current_view.bind("controls", self.inspector.effects.counts)
        self.inspector.effects.points.clicked.connect(self.stage.overview.choose_place)
        self.stage.overview.studied.connect(self.inspect)
        self._held: dict[str, Selection] = {}  # of each side of an encoder-decoder, when another one was chosen

    @override
    def make_stage(self, look: Look) -> ModelStage:
        return ModelStage(self.lab, look, self.selection, self.current_view)

    @override
    def make_inspector(self, look: Look) -> ModelInspector:
        return ModelInspector(look, self.manual)

    @override
    def remember_in(self, settings: QSettings) -> None:
        self._folder.remember_in(settings)
        self._image.remember_in(settings)

    @override
    def adapted(self, spec: Spec, changed: str) -> Spec:
        """Return a spec without the interventions that are meaningless for another folder or other tokens.

        Patches stay with another text B: if it has no such position, the run reports it, and the next text may have it.
        """
        if not isinstance(spec, ModelSpec):
            return spec
        if changed == "folder":
            spec = spec.without_changes.without_choices
            of_decoder = {} if has_sides(spec.path) else {"target": "", "forced_bos_token_id": None}
            return spec.model_copy(update=of_decoder)
        if changed in ("target", "forced_bos_token_id"):  # the decoder reads other tokens then
            return _of_encoder(spec)
        if changed == "generate" and self.stage.trace is not None and self.stage.trace.sides:
            return spec.model_copy(update={"chosen": spec.chosen.up_to(spec.generate)})
        if changed == "generate" and self.stage.trace is not None:
            return _within(spec, len(self.stage.trace.read) - self.stage.trace.step + spec.steps)
        if changed == "image" and self._reads_as_before(spec):
            return spec
        if changed in ("text", "special_tokens", "chat", "image"):  # positions are those of other tokens then
            spec = spec.without_choices
            names_tokens = (name for name, each in spec.acting.items() if [*each.tokens(getattr(spec, name))])
            return spec.model_copy(update={name: getattr(spec.without_changes, name) for name in names_tokens})
        return spec

    def _reads_as_before(self, spec: ModelSpec) -> bool:
        """Return whether an image replaces another one: its patches are at the same places."""
        return self.stage.trace is not None and bool(self.stage.trace.spec.image) and bool(spec.image)

    @override
    def show_trace(self, trace: ModelTrace) -> None:
        before, awaited, held = self.stage.trace, self.current_view.awaited, self.selection.locked
        if before is not None and awaited is None and before.side != trace.side:
            self.selection.begin_with(self._held_on(before, trace, held))
        elif before is not None and awaited is None and _loses_row(before, trace, held.query):
            self.selection.begin_with(Selection(held.head))
        super().show_trace(trace)
        self.token_row.show_trace(trace)
        self.current_view.note(step=None if trace.generated is None or trace.final else trace.step)
        grows = trace.generated is not None and not trace.generated.ended
        if grows and awaited is not None and awaited.query is not None:  # a later token may be its row
            self.current_view.awaited = self.view.changed(query=awaited.query, key=awaited.key)
        self._folder.show_facts(trace.spec.folder, [translate(each) for each in trace.model.texts()])
        self._image.show_image(trace.spec.image, trace.read.image)
        usual = type(trace.spec).model_fields
        self.form.leave_out([name for name in trace.model.unused if getattr(trace.spec, name) == usual[name].default])
        written = len(trace.written) - trace.step
        counts = {"text": len(trace.sides["encoder"].read) if trace.sides else written}
        counts |= {"text_b": len(trace.read_b)} if trace.read_b is not None else {}
        for field in ("text", "text_b"):
            said = self._count(counts[field], trace.model.most_tokens) if field in counts else ""
            self._reading(field).count.setText(said)
        cast("NewTokensEdit", self.form.editor("generate")).show_memory(trace, written)
        self._show_target(trace, written)
        for field in ("tokens_hidden", "patch", "chosen"):
            self._chips(field).show_names()

    @override
    def take_failure(self, failure: Failure[Spec]) -> None:
        """Report why a run failed: at its field, at the folder if a file is named, else at what differs."""
        super().take_failure(failure)
        trace, spec = self.stage.trace, failure.spec
        of_image = failure.code.startswith("image_")
        first = "image" if of_image else _FIELDS_OF.get(failure.code, "folder")
        names_file = of_image or not _FILES.isdisjoint(failure.numbers)
        changed = (first,) if trace is None or names_file else differing(trace.spec, spec)
        changed = (_AT[failure.code],) if failure.code in _AT else changed
        for field in ("text", "text_b"):
            if trace is None or not {"folder", field}.isdisjoint(differing(trace.spec, spec)):
                self._reading(field).count.setText("")  # it is that of the last good picture
        if trace is None or "folder" in differing(trace.spec, spec):
            self.form.leave_out(())  # any field may have an effect on this folder
        field = next((name for name in changed if self.form.row_of(name) is not None), "")
        if field and spec == self.form.spec:
            self.form.editor(field).refused.emit(failure_text(failure))

    @override
    def show_choice(self, trace: ModelTrace) -> None:
        super().show_choice(trace)
        others = self.view.is_changed(trace), self.view.is_other_image(trace)
        self.inspector.show_model(trace, self.stage.weight_table, others)
        self.inspector.show_why(trace, self.stage.layer, self.selection.current)
        here = self.view.page == "overview"
        effects = self.stage.overview.effects if here else Effects()
        self.inspector.show_effects(effects, self.view.layer, self.selection.current.head)
        self._offer(trace)

    def _held_on(self, before: ModelTrace, trace: ModelTrace, held: Selection) -> Selection:
        """Return what is held on another side: the same row if it is of the same text, else what was held there."""
        self._held[before.side] = held
        if before.read.ids == trace.read.ids:
            return Selection(held.head, held.query)
        same_rows = {"cross": "decoder", "decoder": "cross"}.get(trace.side, "")
        there = self._held.get(trace.side) or self._held.get(same_rows)
        return Selection(held.head, None if there is None else there.query)

    def _show_target(self, trace: ModelTrace, written: int) -> None:
        """Show how many tokens the decoder of an encoder-decoder has been given, and its languages."""
        self._reading("target").count.setText(self._count(written, None) if trace.sides else "")
        cast("TokenEdit", self.form.editor("forced_bos_token_id")).show_named(trace.model.languages)

    # The form.

    @property
    def _folder(self) -> FolderEdit:
        return cast("FolderEdit", self.form.editor("folder"))

    @property
    def _image(self) -> ImageEdit:
        return cast("ImageEdit", self.form.editor("image"))

    def _reading(self, field: str) -> ReadingEdit:
        return cast("ReadingEdit", self.form.editor(field))

    def _chips(self, field: str) -> ChipsEdit:
        return cast("ChipsEdit", self.form.editor(field))

    def _count(self, tokens: int, most: int | None) -> str:
        if most is None:
            return translate(Text("{count} tokens", {"count": tokens}, "1 token"))
        return translate(Text("{count} of {most} tokens", {"count": tokens, "most": most}))

    def _token_name(self, place: int, kind: Kind = "self") -> str:
        """Return the name of a token of the queries of a kind of attention."""
        trace = self.stage.trace
        read = None if trace is None else trace.sides[OF_KIND[kind]].read if trace.sides else trace.read
        if read is None or place >= len(read):
            return str(SCREEN.number(place))
        return with_patches(name_at(read.names, place, words=True))

    def _choice_name(self, step: str, token: int) -> str:
        trace = self.stage.trace
        generated = None if trace is None else trace.generated
        known = generated is not None and int(step) < len(generated.ids) and generated.ids[int(step)] == token
        name = generated.names[int(step)] if generated is not None and known else f"<{token}>"
        return f"{SCREEN.number(int(step))}: {name}"

    def _patches(self, trace: ModelTrace, tokens: tuple[int, ...]) -> tuple[Patch, ...]:
        """Return the patches of the selected head at these tokens; empty if text B is shorter."""
        there = 0 if trace.read_b is None else len(trace.read_b)
        if trace.sides and trace.side != "encoder":  # with text B the decoder reads the same target
            there = 0 if trace.read_b is None else len(trace.written) - trace.step
        return tuple(Patch(head=self._held_head, token=token) for token in tokens if tokens[-1] < there)

    def _offer(self, trace: ModelTrace) -> None:
        """Offer to ablate the selected head, to hide the selected token, and to patch the head there."""
        tokens, source = self.stage.tokens_at(self.selection.locked.query), self.stage.held_source
        words = {"head": self._held_head, "token": self._token_name(source[0]) if source else ""}
        tip = translate(Text("Turn head {head} off (X)", words))
        self._chips("heads_off").offer((words["head"],), words["head"], tip)
        tip = translate(Text("Hide token {token} from all tokens (H)", words))
        self._chips("tokens_hidden").offer(source, words["token"], tip)
        words["token"] = self._token_name(tokens[0], trace.kind) if tokens else ""
        tip = translate(Text("Patch the output of head {head} at token {token} from text B", words))
        self._chips("patch").offer(self._patches(trace, tokens), "{head} · {token}".format(**words), tip)

    @Slot(int)
    def _offer_for_token(self, place: int) -> None:
        """Open the context menu of a token."""
        trace, text, spec = self.stage.trace, self.sender(), self._spec
        of_keys, at = False, place
        if trace is not None and trace.crosses and isinstance(text, TokenText):
            of_keys = text.by_key == (place < text.choosing)
            at = place if place < text.choosing else place - text.choosing
        tokens = self.stage.key_tokens_at(at) if of_keys else self.stage.tokens_at(at)
        if tokens and spec is not None:
            self.menu_for(tokens, spec, of_keys=of_keys).popup(QCursor.pos() + QPoint(2, 2))

    def menu_for(self, tokens: tuple[int, ...], spec: ModelSpec, *, of_keys: bool = False) -> QMenu:
        """Return the context menu of tokens that are shown as one; ``of_keys``: in cross-attention, those of the text.

        Tokens of the text can be hidden; the head's output at a query can be patched.
        """
        trace, menu = self.stage.trace, QMenu(self.stage)
        menu.aboutToHide.connect(menu.deleteLater)
        kind: Kind = "self" if trace is None or of_keys else trace.kind
        words = {"token": self._token_name(tokens[0], kind), "head": self._held_head}
        hidden = set(tokens) <= set(spec.tokens_hidden)
        said = Text("Show {token} again", words) if hidden else Text("Hide {token} from all tokens", words)
        if kind == "self":
            menu.addAction(translate(said), lambda: self._switch("tokens_hidden", tokens))
        patches = self._patches(trace, tokens) if trace is not None and spec.text_b and not of_keys else ()
        if not set(patches) <= set(spec.patch):
            said = Text("Patch the output of head {head} at {token} from text B", words)
            menu.addAction(translate(said), lambda: self._switch("patch", patches))
        return menu

    @Slot(int)
    def _choose_next(self, place: int) -> None:
        """Continue with another of the most probable tokens after the text on screen, by its rank from 0."""
        trace, spec = self.stage.trace, self._spec
        if trace is None or spec is None or trace.generated is None or trace.prediction is None:
            return
        step, ids = trace.generated.step, trace.prediction.ids
        if place < len(ids) and ids[place] != trace.generated.ids[step]:
            words = {"step": SCREEN.number(step), "token": trace.prediction.tokens[place]}
            said = translate(Text("Choose “{token}” as new token {step}", words))
            if not spec.generate:  # an encoder-decoder has written by itself
                self.form.change("generate", trace.generated.most, "generate")
            self.form.change("chosen", spec.chosen.with_token(step, ids[place]), f"chosen.{step}", said)

    # Interventions.

    def _switch(self, field: str, values: tuple[Any, ...]) -> None:
        """Add values to an intervention, or remove them if it has all of them."""
        spec = self._spec
        if spec is not None and values:
            held, chosen = getattr(spec, field), set(values)
            left = tuple(each for each in held if each not in chosen)
            new = left if chosen <= set(held) else (*left, *values)
            self.form.change(field, new, f"{field}.{values[0]}")

    @override
    def painted_mask(self, trace: ModelTrace) -> str:
        return self._masks.get(self._brushed, "")

    @override
    def painted_value(self, mask: str) -> dict[str, str]:
        masks = {**self._masks, self._brushed: mask}
        return {head: each for head, each in masks.items() if each}

    @override
    def unpainted_said(self, cell: Cell) -> str:
        column = cell.column or 0
        for name in (self._held_head, self._held_layer):
            if painted.forbidden(self._masks.get(name, ""), cell.row + 1, column + 1)[cell.row, column]:
                words = {"name": heads_said([name])}  # not the one painted by the brush
                return translate(Text("This cell is painted for {name}; choose what the brush paints in View.", words))
        return super().unpainted_said(cell)

    @property
    def _brushed(self) -> str:
        """The name in ``painted`` of the brush's target: the selected head, or its layer."""
        return self._held_layer if self.stage.tools.all_heads.isChecked() else self._held_head

    @property
    def _masks(self) -> Mapping[str, str]:
        return {} if self._spec is None else self._spec.painted

    @property
    def _held_head(self) -> str:
        return self._head_at(self.selection.locked.head)

    def _head_at(self, head: int) -> str:
        """Return the name of a head of the layer on screen; -1 is the layer."""
        trace = self.stage.trace
        return HeadAt("self" if trace is None else trace.kind, self.view.layer, head).name

    @property
    def _held_layer(self) -> str:
        return self._head_at(-1)

    def _mask_name(self, name: str, mask: str) -> str:
        words = {"head": heads_said([name]), "count": int(painted.forbidden(mask, *painted.extent(mask)).sum())}
        return translate(Text("{head}: {count} cells", words, "{head}: 1 cell"))

    @property
    def _spec(self) -> ModelSpec | None:
        spec: Spec | None = self.form.spec
        return spec if isinstance(spec, ModelSpec) else None
