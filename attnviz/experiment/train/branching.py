"""A different learning rate from a step on: a training that shares its past with the original one."""

from attnviz.definitions.text import Text
from attnviz.experiment.train.spec import RateChange, TrainSpec


def last_rate(spec: TrainSpec) -> float:
    """Return the learning rate at the end of a training, apart from its warm-up."""
    return spec.changes[-1].learning_rate if spec.changes else spec.learning_rate


def with_rate_from(spec: TrainSpec, step: int, rate: float) -> TrainSpec:
    """Return a spec with another learning rate from a step on, without later changes; from step 0 the first one."""
    if step == 0:
        return spec.model_copy(update={"learning_rate": rate, "changes": ()})
    kept = tuple(change for change in spec.changes if change.step < step)
    before = kept[-1].learning_rate if kept else spec.learning_rate
    new = () if rate == before else (RateChange(step=step, learning_rate=rate),)
    return spec.model_copy(update={"changes": (*kept, *new)})


def begun_anew(spec: TrainSpec) -> TrainSpec:
    """Return a spec with the last learning rate from the start."""
    return with_rate_from(spec, 0, last_rate(spec))


def change_text(old: TrainSpec, new: TrainSpec) -> Text:
    """Return a text about changes of the scheduled learning rates; empty if anything else differs, or nothing."""
    if old.changes == new.changes or old.model_copy(update={"changes": new.changes}) != new:
        return Text()
    added = [change for change in new.changes if change not in old.changes]
    if added:
        values = {"rate": f"{added[-1].learning_rate:g}", "step": added[-1].step}
        return Text("Learning rate {rate} from step {step} on", values)
    removed = [change for change in old.changes if change not in new.changes]
    return Text("No change of the learning rate from step {step} on", {"step": removed[0].step})
