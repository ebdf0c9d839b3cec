"""The trace of the training lab: the model after some steps, on the probe, and the history of its training."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviz.definitions.roles import Role, role_of
from attnviz.definitions.text import Text
from attnviz.experiment.arrays import read_only
from attnviz.experiment.bases import TraceBase
from attnviz.experiment.layers.head_names import heads_said
from attnviz.experiment.layers.layer import Layer
from attnviz.experiment.layers.statistics import HeadRole
from attnviz.experiment.train.roles import RoleScores
from attnviz.experiment.train.spec import TrainSpec
from attnviz.experiment.train.task import shown

Array = NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """The known values for each step of a training. n steps, m measured steps, L layers, h heads, R roles.

    The arrays are read-only; no later step changes them.
    """

    loss: NDArray[np.float64]
    """(n,), the mean cross-entropy of each step's batch before the step, over the predictable positions."""
    accuracy: NDArray[np.float64]
    """(n,), the share of these positions at which the most probable token was right."""
    role_steps: NDArray[np.int64]
    """(m,), ascending: the numbers of steps after which the roles were measured."""
    roles: NDArray[np.float64]
    """(m, L, h, R), each head's score in each role of the spec; NaN if too few rows count."""
    role_lowest: NDArray[np.float64]
    """(m, L, h, R), the score in the sequence where it is lowest."""
    role_distances: NDArray[np.int64]
    """(m, L, h), the distance of each head, in the role of a fixed distance; 0: not measured."""
    on_probe: bool = False
    """Whether the roles come from a session of an older version, which measured them only on the task's own probe."""
    carried: int = 0
    """The step up to which all this was read from a session instead of computed."""


@dataclass(frozen=True, eq=False)
class TrainTrace(TraceBase):
    """The model after some steps, on the probe. All arrays are read-only.

    The history may reach beyond this step. Shape letters: T tokens of the probe, D hidden, V vocabulary, L layers,
    h heads.
    """

    spec: TrainSpec
    step: int
    """The number of training steps before this trace."""
    history: History
    token_numbers: tuple[int, ...]
    """The token ids of the probe."""
    embedded: Array
    """(T, D), the residual stream before the first layer."""
    layers: tuple[Layer, ...]
    measured: RoleScores
    """The role scores of each head, on the task's sequences for them."""
    logits: Array
    """(T, V)."""
    parameters: Mapping[str, Array]
    """All parameters, by their names in the model's state dict."""
    device: str
    dtype: str
    milliseconds: float
    """The duration of the last step."""

    @property
    def num_heads(self) -> int:
        """The number of heads per layer."""
        return self.layers[0].num_heads

    @property
    def known_steps(self) -> int:
        """The number of steps in the history."""
        return len(self.history.loss)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The probe's tokens as shown on screen."""
        alphabet = self.spec.alphabet
        return shown([alphabet[number] for number in self.token_numbers])

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """All tokens as shown on screen."""
        return shown(self.spec.alphabet)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every text by the user that a figure shows."""
        return self.words

    @cached_property
    def weights(self) -> Array:
        """(L, h, T, T), the weights of every layer."""
        return read_only(np.concatenate([layer.weights for layer in self.layers]))

    @cached_property
    def row_sums(self) -> NDArray[np.float64]:
        """(L, h, T), the sum of each row of weights."""
        return read_only(np.concatenate([layer.row_sums for layer in self.layers]))

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """(T, V), of the token after each position."""
        logits = self.logits.astype(np.float64)
        raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return read_only(raised / raised.sum(axis=-1, keepdims=True))

    @cached_property
    def predicted(self) -> NDArray[np.int64]:
        """(T,), the most probable token after each position."""
        return read_only(self.logits.argmax(axis=-1))

    @cached_property
    def answers(self) -> tuple[int | None, ...]:
        """The required token after each position; None if it is not predictable."""
        return self.spec.task.record.answers(self.spec.knobs, self.token_numbers)

    @property
    def first_query(self) -> int:
        """The initially selected position: the last predictable one, or the last."""
        known = [position for position, answer in enumerate(self.answers) if answer is not None]
        return known[-1] if known else len(self.answers) - 1

    @property
    def role_scores(self) -> NDArray[np.float64]:
        """(L, h, R), each head's score in each role of the spec; NaN if too few rows count."""
        return self.measured.scores

    def role(self, layer: int, head: int) -> Role | None:
        """Return the role that a head is named after; None if it has none."""
        return role_of(self.role_scores[layer, head].tolist(), self.spec.roles)

    def score(self, role: Role, layer: int, head: int) -> float:
        """Return a head's score in a role; NaN if too few rows count."""
        return float(self.role_scores[layer, head, self.spec.roles.index(role)])

    def lowest(self, role: Role, layer: int, head: int) -> float:
        """Return a head's score in a role in the sequence where it is lowest."""
        return float(self.measured.lowest[layer, head, self.spec.roles.index(role)])

    def distance(self, layer: int, head: int) -> int:
        """Return the distance of a head, in the role of a fixed distance."""
        return int(self.measured.distances[layer, head])

    @cached_property
    def head_roles(self) -> Mapping[tuple[int, int], HeadRole]:
        """The roles of the heads that have one."""
        roles = {at: self.role(*at) for at in np.ndindex(*self.role_scores.shape[:2])}
        return {
            at: HeadRole(role, self.score(role, *at), self.distance(*at))
            for at, role in roles.items()
            if role is not None
        }

    def counted(self, layer: int, head: int) -> tuple[tuple[int, int], ...]:
        """Return the cells, query and key, of the probe for a head's role; empty for roles of whole rows."""
        role = self.role(layer, head)
        if role is None or role.of_rows is not None:
            return ()
        keys_of = role.keys(self.token_numbers, self.spec.knobs, self.distance(layer, head))
        return tuple((query, key) for query, keys in enumerate(keys_of) for key in keys)

    @property
    def untrained_note(self) -> Text:
        """A note that no step was taken yet; empty if one was."""
        if self.step:
            return Text()
        return Text("Untrained: random weights, seed {seed}", {"seed": self.spec.seed})

    @property
    def badge(self) -> Text:
        """A warning in the status bar: that heads are ablated."""
        off = self.spec.heads_off
        return Text("off: {heads}", {"heads": heads_said(off)}) if off else Text()

    def prepare(self, watched: str = "") -> None:
        """Compute in the worker what the screen will need; ``watched`` is the number of its layer, "" for every one."""
        for layer in self.layers[int(watched) :][:1] if watched.isdecimal() else self.layers:
            layer.prepare()
        _ = self.row_sums, self.probabilities, self.predicted, self.answers

    def facts(self) -> tuple[Text, ...]:
        """Return the status bar's facts about the run."""
        carried = self.history.carried
        from_file = (Text("curves to step {step} from the file", {"step": carried}),) if carried else ()
        return (
            Text("{device}, {dtype}", {"device": self.device, "dtype": self.dtype}),
            Text("step {step} of {steps}", {"step": self.step, "steps": self.spec.steps}),
            *from_file,
            Text("seed {seed}", {"seed": self.spec.seed}),
            Text("step {ms} ms", {"ms": f"{self.milliseconds:.1f}"}),
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return every array under its fixed name in a file."""
        history, alphabet = self.history, self.spec.alphabet
        arrays: dict[str, NDArray[Any]] = {
            "step": np.array(self.step),
            "loss": history.loss,
            "accuracy": history.accuracy,
            "roles": history.roles,
            "role_names": np.array([role.name for role in self.spec.roles]),
            "role_steps": history.role_steps,
            "role_lowest": history.role_lowest,
            "role_distances": history.role_distances,
            "role_sequences": np.array([[alphabet[each] for each in tokens] for tokens in self.spec.role_sequences]),
            "weights": self.weights,
            "tokens": np.array([alphabet[number] for number in self.token_numbers]),
            "probabilities": self.probabilities,
        }
        return arrays | {f"param/{name}": values for name, values in self.parameters.items()}

    def summary(self) -> str:
        """Return a few lines for a terminal."""
        layers, heads, tokens, _ = self.weights.shape
        spec, history = self.spec, self.history
        lines = [
            f"{spec.task.kind}: weights (layers {layers}, heads {heads}, tokens {tokens}, tokens {tokens})",
            f"{self.device}, {self.dtype}, seed {spec.seed}, {self.milliseconds:.2f} ms a step",
        ]
        if self.step:
            last = self.step - 1
            lines.append(
                f"{self.step} steps: loss {history.loss[0]:.4g} -> {history.loss[last]:.4g}, "
                f"accuracy {100 * history.accuracy[last]:.0f} %"
            )
        if history.carried:
            lines.append(f"these of the first {history.carried} steps are from the file, and not computed")
        for layer in range(layers):
            roles = ((f"{layer + 1}.{head + 1}", self.role(layer, head), head) for head in range(heads))
            named = [
                f"{name} {role.named_at(self.distance(layer, head))} {self.score(role, layer, head):.2f}"
                for name, role, head in roles
                if role
            ]
            lines += [", ".join(named)] if named else []
        return "\n".join(lines)
