"""The sentence in plain words about a training: what is learned, and what the chosen head, row or cell does."""

from attnviz.definitions.sentences import Sentence
from attnviz.experiment.attention import sentences as attention_sentences
from attnviz.experiment.attention import stages as attention_stages
from attnviz.experiment.train.spec import TrainSpec, layer_spec
from attnviz.experiment.train.trace import TrainTrace
from attnviz.experiment.train.view_settings import TrainViewSettings
from attnviz.experiment.view_settings import Chosen


def stages_of(spec: TrainSpec) -> tuple[str, ...]:
    """Return the stages of each layer's attention."""
    return attention_stages.stages_of(layer_spec(spec, spec.num_tokens))


def sentence_of(trace: TrainTrace, view: TrainViewSettings, chosen: Chosen) -> Sentence:
    """Return the sentence about a trace."""
    return attention_sentences.sentence_of(trace.layers[view.layer], view.of_layer, chosen)
