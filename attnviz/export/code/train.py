"""The script of a training: the same model, batches and steps in plain PyTorch."""

from attnviz.definitions.decoder.initial_values import initial_values
from attnviz.definitions.decoder.optimizers import OPTIMIZERS
from attnviz.definitions.decoder.positions import POSITIONS
from attnviz.experiment.train.spec import TrainSpec
from attnviz.export.code.source import source_of
from attnviz.export.code.text import (
    MERGE_HEADS,
    ONE_THREAD,
    SPLIT_HEADS,
    WIDTH,
    Script,
    chosen,
    filled,
    imports,
    listed,
    literal,
    string,
)

_PRINTED = 10  # the number of steps whose loss and accuracy are printed

_SIZES = """\
seed = $seed
num_tokens, vocab_size = $num_tokens, $vocab_size
num_layers, num_heads, num_hiddens = $num_layers, $num_heads, $num_hiddens
batch_size, steps = $batch_size, $steps
learning_rate, warmup = $learning_rate, $warmup  #? warmup
learning_rate = $learning_rate  #? not warmup
# (step, learning rate from there on)  #? changes
$changes  #? changes
$text  #? text
$knobs
device = torch.device($device)  #? device"""
_INTEGERS = '''\
def integers_from(generator):
    """Return a function that draws integers, low <= number < high."""

    def numbers():
        while True:  # many at once, since one takes as long as hundreds
            yield from torch.randint(2**62, (4096,), generator=generator).tolist()

    drawn = numbers()
    return lambda low, high: low + next(drawn) % (high - low)'''
_BATCH = '''\
def draw_batch(step):
    """Return sequences (batch, tokens), and at which places the next token can be known."""
    generator = torch.Generator().manual_seed((seed * 1_000_003 + step) % 2**32)
    integers = integers_from(generator)
    sequences = [$draw(knobs, integers) for _ in range(batch_size)]  #? not held_out
    sequences = []  #? held_out
    while len(sequences) < batch_size:  #? held_out
        tokens = $draw(knobs, integers)  #? held_out
        if $is_held_out(knobs, tokens) is False:  # another one is drawn again  #? held_out
            sequences.append(tokens)  #? held_out
    known = [[each is not None for each in $answers(knobs, tokens)] for tokens in sequences]
    return torch.tensor(sequences$placed), torch.tensor(known$placed)'''
_ATTENTION = '''\
class Attention(nn.Module):
    """Multi-head attention of a sequence to itself."""

    def __init__(self):
        super().__init__()
        self.W_q = nn.Linear(num_hiddens, num_hiddens, bias=False)
        self.W_k = nn.Linear(num_hiddens, num_hiddens, bias=False)
        self.W_v = nn.Linear(num_hiddens, num_hiddens, bias=False)
        self.W_o = nn.Linear(num_hiddens, num_hiddens, bias=False)
        cos, sin = $tables(num_tokens, num_hiddens // num_heads)  #? rotated
        self.register_buffer("cos", cos.float(), persistent=False)  #? rotated
        self.register_buffer("sin", sin.float(), persistent=False)  #? rotated
        bias = $bias(num_heads, num_tokens)  #? bias
        self.register_buffer("bias", bias, persistent=False)  #? bias
        self.heads_off = []  #? heads_off

    def forward(self, x, mask):
        q, k, v = (split_heads(W(x), num_heads) for W in (self.W_q, self.W_k, self.W_v))
        cos, sin = self.cos[: x.shape[1]], self.sin[: x.shape[1]]  #? rotated
        q, k = $rotated(q, cos, sin), $rotated(k, cos, sin)  #? rotated
        scores = q @ k.transpose(-2, -1) / math.sqrt(num_hiddens // num_heads)
        scores = scores + self.bias[:, : x.shape[1], : x.shape[1]]  #? bias
        self.attention_weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
        pooled = self.attention_weights @ v
        if self.heads_off:  # such heads add nothing  #? heads_off
            pooled = pooled.index_fill(1, torch.tensor(self.heads_off, device=x.device), 0.0)  #? heads_off
        return self.W_o(merge_heads(pooled))'''
_FEED_FORWARD = '''\
class FeedForward(nn.Module):
    """A network of two layers, the same at every place."""

    def __init__(self):
        super().__init__()
        self.W_1 = nn.Linear(num_hiddens, 4 * num_hiddens)
        self.W_2 = nn.Linear(4 * num_hiddens, num_hiddens)

    def forward(self, x):
        return self.W_2(self.W_1(x).relu())'''
# The parts of a layer are registered in the order in which their parameters are drawn.
_LAYER = '''\
class Layer(nn.Module):
    """Attention and a feed-forward network add to the residual stream."""  #? feed_forward
    """Attention adds to the residual stream."""  #? not feed_forward

    def __init__(self):
        super().__init__()
        self.attention_norm = nn.LayerNorm(num_hiddens)  #? norm
        self.attention = Attention()
        self.feed_forward_norm = nn.LayerNorm(num_hiddens)  #? norm, feed_forward
        self.feed_forward = FeedForward()  #? feed_forward

    def forward(self, stream, mask):
        stream = stream + self.attention(self.attention_norm(stream), mask)  #? norm
        stream = stream + self.attention(stream, mask)  #? not norm
        stream = stream + self.feed_forward(self.feed_forward_norm(stream))  #? norm, feed_forward
        stream = stream + self.feed_forward(stream)  #? not norm, feed_forward
        return stream'''
_TRANSFORMER = '''\
class Transformer(nn.Module):
    """A decoder: logits (batch, tokens, vocabulary) of the token after each place."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, num_hiddens)
        self.position_embedding = nn.Embedding(num_tokens, num_hiddens)  #? learned
        self.layers = nn.ModuleList(Layer() for _ in range(num_layers))
        self.final_norm = nn.LayerNorm(num_hiddens)  #? norm
        self.unembedding = nn.Linear(num_hiddens, vocab_size, bias=False)  #? not tied_embedding
        mask = torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril()
        self.register_buffer("mask", mask, persistent=False)
        places = $vectors(num_tokens, num_hiddens)  #? vectors
        self.register_buffer("places", places, persistent=False)  #? vectors

    def forward(self, tokens):
        length = tokens.shape[1]
        stream = self.embedding(tokens)
        stream = stream + self.position_embedding.weight[:length]  #? learned
        stream = stream + self.places[:length]  #? vectors
        for layer in self.layers:
            stream = layer(stream, self.mask[:length, :length])
        return self.unembedding($read)  #? not tied_embedding
        return nn.functional.linear($read, self.embedding.weight)  #? tied_embedding'''
_RATE = '''\
def rate_at(step):
    """Return the learning rate of a step."""
    rate = learning_rate
    for start, changed in changes:  #? changes
        rate = changed if start <= step else rate  #? changes
    return rate * min(1.0, (step + 1) / warmup)  #? warmup
    return rate  #? not warmup'''
_TRAIN = '''\
def train(model):
    """Train a model; return the loss and the accuracy of each step's batch, before the step."""
    $optimizer
    losses, accuracies = [], []
    for step in range(steps):
        tokens, known = draw_batch(step)
        known = known[:, :-1]  # the last place has no next token
        logits, targets = model(tokens)[:, :-1][known], tokens[:, 1:][known]
        loss = nn.functional.cross_entropy(logits, targets)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), $clip)  #? clip
        optimizer.param_groups[0]["lr"] = rate_at(step)  #? rate
        optimizer.step()
        losses.append(loss.item())
        accuracies.append((logits.argmax(dim=-1) == targets).float().mean().item())
        if step % $every == 0:
            print(f"step {step}: loss {losses[-1]:.4f}, accuracy {accuracies[-1]:.0%}")
    return losses, accuracies'''
_TRAINED = """\
model = Transformer()
generator = torch.Generator().manual_seed(seed)
for name, each in model.named_parameters():
    each.data = initial_values(name, each.shape, $tied_embedding, generator)
model = model.to($moved)  #? moved
losses, accuracies = train(model)

# These heads, counted from 0, are off in what follows  #? heads_off
$heads_off  #? heads_off
for layer, head in heads_off:  #? heads_off
    model.layers[layer].attention.heads_off.append(head)  #? heads_off
$probe
with torch.no_grad():
    logits = model(probe[None])[0]
probabilities = logits.double().softmax(dim=-1)  # (tokens, vocabulary)
weights = torch.cat([layer.attention.attention_weights for layer in model.layers])
# (layers, heads, tokens, tokens)

$alphabet
printable = [each if each.isprintable() else repr(each) for each in alphabet]  #? not printable
print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, accuracy {accuracies[-1]:.0%}")
print("tokens", *($words[token] for token in probe))
print("predicted next", *($words[token] for token in logits.argmax(dim=-1)))
torch.set_printoptions(precision=6, sci_mode=False)
print("weights", tuple(weights.shape), "of the last token:")
print(weights[:, :, -1])"""


def train_script(spec: TrainSpec) -> Script:
    """Return the script of a spec."""
    task, positions = spec.task.record, POSITIONS[spec.positions]
    rotation = positions.attention.rotation
    rotary = (rotation.tables, rotation.rotated) if rotation else ()
    layers = f"{spec.num_layers} layer{'s' * (spec.num_layers > 1)}"
    words = [f"A transformer of {layers} learns the task {task.name!r}.", task.help]
    parts = _parts(spec)
    blocks = [
        chosen(_SIZES, parts),
        *source_of(task.draw, task.answers, *([task.is_held_out] if spec.held_out else [])),
        _INTEGERS,
        chosen(_BATCH, parts),
        SPLIT_HEADS,
        MERGE_HEADS,
        *source_of(*filter(None, (*rotary, positions.bias, positions.vectors))),
        chosen(_ATTENTION, parts),
        *([_FEED_FORWARD] if spec.feed_forward else []),
        *(chosen(each, parts) for each in (_LAYER, _TRANSFORMER)),
        *source_of(initial_values),
        *([chosen(_RATE, parts)] if parts["rate"] else []),
        *(chosen(each, parts) for each in (_TRAIN, _TRAINED)),
    ]
    return Script(words, imports(["import math"], nn=True, threads=ONE_THREAD), blocks)


def _parts(spec: TrainSpec) -> dict[str, object]:
    """Return what the templates name: the values of fields, code for them, and conditions."""
    task, positions, record = spec.task.record, POSITIONS[spec.positions], OPTIMIZERS[spec.optimizer]
    rotation = positions.attention.rotation
    functions = {
        "draw": task.draw,
        "answers": task.answers,
        "is_held_out": task.is_held_out,
        "bias": positions.bias,
        "vectors": positions.vectors,
        "tables": rotation.tables if rotation else None,
        "rotated": rotation.rotated if rotation else None,
    }
    device = literal(spec.device) if spec.device not in ("auto", "cpu") else ""
    placed = ", device=device" if device else ""
    own = dict(spec.task.own)
    text = own.pop("text", None)
    names = ["num_tokens", "vocab_size", *(["text"] if text is not None else [])]
    knobs = [f'"{name}": {name}' for name in names] + [f'"{name}": {number!r}' for name, number in own.items()]
    knobs += [f'"held_out": {spec.held_out!r}'] if spec.held_out else []
    changes = listed(f"({each.step}, {each.learning_rate!r})" for each in spec.changes)
    heads_off = listed(f"({layer}, {head})" for layer, head in spec.pairs_off)
    takes = ["model.parameters()", "lr=learning_rate", *record.torch_arguments(spec.momentum, spec.weight_decay)]
    printable = all(map(str.isprintable, spec.alphabet))  # a terminal may act on control characters
    return {
        **dict(spec),
        **{name: made.__name__.lstrip("_") if made else "" for name, made in functions.items()},
        "learned": positions.is_learned,
        "text": string("text = (", text, ")") if text is not None else "",
        "knobs": filled("knobs = {", listed(knobs), "}"),
        "changes": filled("changes = [", changes, "]") if changes else "",
        "rate": spec.warmup or spec.changes,
        "device": device,
        "placed": placed,
        "optimizer": filled(f"optimizer = torch.optim.{record.torch_class}(", listed(takes), ")", WIDTH - 4),
        "clip": "" if spec.clip is None else repr(spec.clip),
        "every": max(1, spec.steps // _PRINTED),
        "moved": ", ".join(["device"] * bool(device) + ["torch.float64"] * (spec.dtype == "float64")),
        "heads_off": filled("heads_off = [", heads_off, "]") if spec.heads_off else "",
        "probe": filled("probe = torch.tensor([", listed(map(str, spec.probe_tokens)), f"]{placed})"),
        "read": "self.final_norm(stream)" if spec.norm else "stream",
        "alphabet": filled("alphabet = [", listed(map(literal, spec.alphabet)), "]"),
        "printable": printable,
        "words": "alphabet" if printable else "printable",
    }
