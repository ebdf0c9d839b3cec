"""The view settings of the model lab."""

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field
from typing_extensions import override

from attnviz.definitions.registry import Registry
from attnviz.definitions.text import Text
from attnviz.definitions.token_maps import COMBINATIONS, TOKEN_MAPS
from attnviz.experiment.fields.knob import OneOf
from attnviz.experiment.layers.settings import LayerSettings
from attnviz.experiment.layers.view import COMPARE_PAGE, LINES_PAGE, STAGES_PAGE, LayerViewSettings
from attnviz.experiment.model.lens import Lens
from attnviz.experiment.model.overview import OVERVIEW
from attnviz.experiment.model.residual.attribution import AskedToken, Attribution
from attnviz.experiment.model.sides import SIDES, has_sides
from attnviz.experiment.model.studies import MOST_SETS, HeadsInTurn
from attnviz.experiment.model.text import Group, ReadText
from attnviz.experiment.model.token_maps.study import Share, TokenMapOf
from attnviz.experiment.run import Cursor
from attnviz.experiment.sweeps.roles import RolesOverRuns
from attnviz.experiment.view_settings import LAB_FIGURE, Later, NoFigure, PageRecord, Place

PAGES: Registry[PageRecord] = Registry(
    "page",
    (
        PageRecord(
            "overview",
            "Overview",
            "Every head of every layer, one number each, and the text",
            widget="attnviz.gui.labs.model.overview_page:OverviewPage",
            figure=LAB_FIGURE,
            of_study="attnviz.export.figures.model.head_effects:draw_head_effects",
            stage="",
        ),
        STAGES_PAGE,
        LINES_PAGE,
        PageRecord(
            "text",
            "Text",
            "The text, shaded by what the chosen token attends to",
            widget="attnviz.gui.labs.model.text_page:TextPage",
            figure=NoFigure("Words on a colour are read on the screen."),
            stage="",
            offered=lambda trace: trace.read.image is None,
        ),
        PageRecord(
            "image",
            "Image",
            "The image, overlaid by what the chosen patch attends to",
            widget="attnviz.gui.labs.model.image_page:ImagePage",
            figure="attnviz.export.figures.model.image:draw_image",
            stage="",
            offered=lambda trace: trace.read.image is not None,
        ),
        PageRecord(
            "lens",
            "Lens",
            "The logit lens: what the state after each layer would predict",
            widget="attnviz.gui.labs.model.lens_page:LensPage",
            figure="attnviz.export.figures.model.lens:draw_lens",
            stage="",
            offered=lambda trace: trace.read.image is None,
            runs=lambda spec: ((Text("Logit lens"), Lens(of=spec)),),
        ),
        PageRecord(
            "rollout",
            "Rollout",
            "What the weights of all layers add up to, from each token to each other one",
            widget="attnviz.gui.labs.model.rollout_page:RolloutPage",
            figure="attnviz.export.figures.model.rollout:draw_rollout",
            stage="",
            offered=lambda trace: not trace.crosses,
        ),
        replace(COMPARE_PAGE, widget="attnviz.gui.labs.model.comparison:ModelComparePage"),
    ),
)

_NEW_PAGES = {"lens", "rollout"}
_OF_MAPS = ("token_map", "map_heads", "map_residual", "map_layer", "map_token")
_OF_EFFECTS = ("by_attribution", "attributed", "minus", "controls")
_NEW_FIELDS = ("corpus", "over_texts", "side", "lens_layer", "lens_token", *_OF_MAPS, *_OF_EFFECTS)
"""The pages and fields that only sessions of the newest format can hold."""
_OF_VOCABULARY = ("attributed", "minus", "lens_token", "map_token")
"""The fields that are tokens, by number perhaps, which are other ones in another model."""


class ModelViewSettings(LayerViewSettings):
    """The view settings of the model lab."""

    lab: Literal["model"] = "model"
    page: Annotated[str, OneOf(PAGES)] = "overview"
    pages: ClassVar[Registry[PageRecord]] = PAGES
    overview: Annotated[str, OneOf(OVERVIEW)] = "entropy"
    thumbnails: bool = False
    """Whether the overview shows the weights of each head instead of a number."""
    by_effect: bool = False
    """Whether the overview is coloured by the study of ablated heads, once it has run."""
    by_attribution: Annotated[bool, Later()] = False
    """Whether the overview is coloured by what each head adds to a logit; before the study of ablated heads."""
    attributed: Annotated[AskedToken, Later()] = None
    """The token of that logit, by number or text; None: the top prediction."""
    minus: Annotated[AskedToken, Later()] = None
    """The token whose logit is subtracted; None: none is."""
    controls: Annotated[int, Field(ge=0, le=MOST_SETS), Later()] = 0
    """The number of random sets that ablated heads are compared with; 0: they are not."""
    joined: bool = False
    """Whether the pieces of a word are joined: the sum over keys, the mean over queries."""
    hide_special: bool = False
    """Whether special tokens are left out; rows then no longer sum to 1."""
    seen_folder: Annotated[str, Field(max_length=4096)] = ""
    """The folder of `fingerprint`."""
    lens_layer: Annotated[Place | None, Later()] = None
    """The layer chosen on the page *Lens*, of all layers from 0; None: the last."""
    lens_token: Annotated[AskedToken, Later()] = None
    """The token that is followed over the layers there, by number or text; None: the prediction of each position."""
    step: Annotated[Place | None, Later()] = None
    """The step of a generation; None: its last."""
    fingerprint: Annotated[str, Field(max_length=64, pattern=r"^[0-9a-f]*$")] = ""
    """Of the model that was first shown under these settings; a different one in the same folder is reported."""
    seen_image: Annotated[str, Field(max_length=4096), Later()] = ""
    """The image file of `image_fingerprint`."""
    image_fingerprint: Annotated[str, Field(max_length=64, pattern=r"^[0-9a-f]*$"), Later()] = ""
    """Of the image that was first shown under these settings; a different one in the same file is reported."""

    token_map: Annotated[str, OneOf(TOKEN_MAPS), Later()] = "rollout"
    """The map on the page *Rollout*."""
    map_heads: Annotated[str, OneOf(COMBINATIONS), Later()] = "mean"
    """How its heads are combined."""
    map_residual: Annotated[Share, Later()] = 0.5
    """Its share of the residual connection."""
    map_layer: Annotated[Place | None, Later()] = None
    """Its last layer, from 0; None: that of the model."""
    map_token: Annotated[Place | None, Later()] = None
    """The token, in the vocabulary, whose logit a map of gradients follows; None: the most probable one."""

    @override
    def runs(self, spec: Any) -> tuple[tuple[Text, Any], ...]:
        if self.page == "overview":
            effects = self.effects_of(spec, side=self.side if has_sides(spec.path) else "")
            return tuple((Text(), study) for study in effects[:1])
        return ((Text(), self.map_of(spec, side=self.side)),) if self.page == "rollout" else super().runs(spec)

    def effects_of(
        self, spec: Any, continued: tuple[int, ...] = (), side: str = ""
    ) -> tuple[Attribution | HeadsInTurn, ...]:
        """Return the studies that colour the overview of a spec's run, the one that does first."""
        adds = self.by_attribution and side != "encoder"  # whose heads do not write into the state that predicts
        followed = {"token": self.attributed, "minus": self.minus} if adds else {}
        of: dict[str, Any] = {"of": spec, "continued": continued, **followed}
        attribution = (Attribution(**of),) if adds else ()
        return (*attribution, HeadsInTurn(**of, side=side)) if self.by_effect else attribution

    def map_of(self, spec: Any, continued: tuple[int, ...] | None = None, side: str = "") -> TokenMapOf:
        """Return the study of the chosen map of a spec's run."""
        study = TokenMapOf(
            of=spec,
            continued=continued,
            side=side,
            map=self.token_map,
            heads=self.map_heads,
            head=self.head,
            residual=self.map_residual,
            layer=self.map_layer,
            token=self.map_token,
        )
        return study.in_effect

    @property
    @override
    def of_layer(self) -> LayerSettings:
        if self.page_stage:
            return super().of_layer
        # There is no tile for each head of the layer, so that their statistics are not needed.
        return replace(super().of_layer, statistic="", ranked=False, extremes=False)

    side: Annotated[str, OneOf(SIDES), Later()] = "encoder"
    """The side of an encoder-decoder; without effect for a model with one stack."""

    corpus: Annotated[RolesOverRuns | None, Later()] = None
    """The roles of heads over many texts, by which the overview can name them."""
    over_texts: Annotated[bool, Later()] = False
    """Whether the overview names heads by these, instead of by the text on screen."""

    @override
    def with_roles(self, roles: RolesOverRuns, spec: Any) -> Self | None:
        if self.seen_folder != spec.folder:
            return None  # the model of the sweep is not the one on screen
        roles = roles.model_copy(update={"folder": spec.folder, "model": self.fingerprint})
        return self.changed(corpus=roles, over_texts=True)

    def corpus_of(self, trace: Any) -> RolesOverRuns | None:
        """Return the roles over many texts, if they are of a trace's model."""
        corpus = self.corpus
        known = corpus is not None and (corpus.folder, corpus.model) == (trace.spec.folder, trace.model.fingerprint)
        return corpus if known else None

    @property
    @override
    def session_format(self) -> int:
        fields = type(self).model_fields
        new = self.page in _NEW_PAGES or any(getattr(self, name) != fields[name].default for name in _NEW_FIELDS)
        return 6 if new else super().session_format

    @property
    @override
    def cursor(self) -> Cursor | None:
        at = super().cursor
        if self.side != type(self).model_fields["side"].default:
            at = replace(at or Cursor(layer=self.layer), side=self.side)
        return at if self.step is None else Cursor(step=self.step).moved_to(at or Cursor())

    @property
    @override
    def large(self) -> tuple[int, int]:
        return self.layer, self.head

    @property
    @override
    def figure_settings(self) -> dict[str, Any]:
        return {"overview": self.overview, "query": None if self.hide_special else self.query}

    def groups_of(self, read: ReadText) -> tuple[Group, ...]:
        """Return the shown groups of a text: words instead of their pieces, and special tokens or not."""
        return read.groups(joined=self.joined, hide_special=self.hide_special)

    @override
    def within(self, trace: Any) -> Self:
        """Return the settings adapted to a trace; they remember the first model seen in a folder."""
        if trace.sides and trace.side != self.side:
            return self  # the trace of its side follows
        adapted = super().within(trace)
        if any(len(self.groups_of(each)) != len(each) for each in (trace.read, trace.read_of_keys)):
            adapted = adapted.changed(stage="weights")  # a word of several pieces has a weight, but no score
        image = trace.read.image
        if image is not None and self.seen_image != trace.spec.image:
            adapted = adapted.changed(seen_image=trace.spec.image, image_fingerprint=image.fingerprint)
        if self._seen(trace):
            return adapted
        others = dict.fromkeys(_OF_VOCABULARY) if self.seen_folder else {}
        return adapted.changed(seen_folder=trace.spec.folder, fingerprint=trace.model.fingerprint, **others)

    def is_changed(self, trace: Any) -> bool:
        """Return whether the folder now holds another model than the one these settings have seen."""
        return self._seen(trace) not in ("", trace.model.fingerprint)

    def is_other_image(self, trace: Any) -> bool:
        """Return whether the file now holds another image than the one these settings have seen."""
        image = trace.read.image
        known = image is not None and self.seen_image == trace.spec.image
        return known and self.image_fingerprint != image.fingerprint

    def _seen(self, trace: Any) -> str:
        return self.fingerprint if self.seen_folder == trace.spec.folder else ""
