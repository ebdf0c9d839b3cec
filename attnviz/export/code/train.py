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
    definition,
    filled,
    imports,
    indented,
    listed,
    literal,
    string,
)

_PRINTED = 10  # the number of steps whose loss and accuracy are printed

_INTEGERS = definition(
    "def integers_from(generator)",
    "Return a function that draws integers, low <= number < high.",
    [
        "",
        "def numbers():",
        "    while True:  # many at once, since one takes as long as hundreds",
        "        yield from torch.randint(2**62, (4096,), generator=generator).tolist()",
        "",
        "drawn = numbers()",
        "return lambda low, high: low + next(drawn) % (high - low)",
    ],
)
_FEED_FORWARD = definition(
    "class FeedForward(nn.Module)",
    "A network of two layers, the same at every place.",
    [
        "",
        definition(
            "def __init__(self)",
            "",
            [
                "super().__init__()",
                "self.W_1 = nn.Linear(num_hiddens, 4 * num_hiddens)",
                "self.W_2 = nn.Linear(4 * num_hiddens, num_hiddens)",
            ],
        ),
        "",
        definition("def forward(self, x)", "", ["return self.W_2(self.W_1(x).relu())"]),
    ],
)


def train_script(spec: TrainSpec) -> Script:
    """Return the script of a spec."""
    task = spec.task.record
    layers = f"{spec.num_layers} layer{'s' * (spec.num_layers > 1)}"
    words = [f"A transformer of {layers} learns the task {task.name!r}.", task.help]
    blocks = [
        _sizes(spec),
        *source_of(task.draw, task.answers, *([task.is_held_out] if spec.held_out else [])),
        _INTEGERS,
        _batch(spec),
        *_model(spec),
        *source_of(initial_values),
        *_rate(spec),
        _train(spec),
        _looked_at(spec),
    ]
    return Script(words, imports(["import math"], nn=True, threads=ONE_THREAD), blocks)


def _sizes(spec: TrainSpec) -> str:
    lines = [
        f"seed = {spec.seed}",
        f"num_tokens, vocab_size = {spec.num_tokens}, {spec.vocab_size}",
        f"num_layers, num_heads, num_hiddens = {spec.num_layers}, {spec.num_heads}, {spec.num_hiddens}",
        f"batch_size, steps = {spec.batch_size}, {spec.steps}",
        f"learning_rate, warmup = {spec.learning_rate!r}, {spec.warmup}"
        if spec.warmup
        else f"learning_rate = {spec.learning_rate!r}",
    ]
    if spec.changes:
        pairs = listed(f"({each.step}, {each.learning_rate!r})" for each in spec.changes)
        lines += ["# (step, learning rate from there on)", filled("changes = [", pairs, "]")]
    own = dict(spec.task.own)
    text = own.pop("text", None)
    lines += [] if text is None else [string("text = (", text, ")")]
    names = ["num_tokens", "vocab_size", *(["text"] if text is not None else [])]
    knobs = [f'"{name}": {name}' for name in names] + [f'"{name}": {number!r}' for name, number in own.items()]
    knobs += [f'"held_out": {spec.held_out!r}'] if spec.held_out else []
    lines.append(filled("knobs = {", listed(knobs), "}"))
    if _on_device(spec):
        lines.append(f"device = torch.device({literal(spec.device)})")
    return "\n".join(lines)


def _on_device(spec: TrainSpec) -> bool:
    return spec.device not in ("auto", "cpu")


def _batch(spec: TrainSpec) -> str:
    task = spec.task.record
    draw, answers, is_held_out = (each.__name__.lstrip("_") for each in (task.draw, task.answers, task.is_held_out))
    drawn = [f"sequences = [{draw}(knobs, integers) for _ in range(batch_size)]"]
    if spec.held_out:
        drawn = [
            "sequences = []",
            "while len(sequences) < batch_size:",
            f"    tokens = {draw}(knobs, integers)",
            f"    if {is_held_out}(knobs, tokens) is False:  # another one is drawn again",
            "        sequences.append(tokens)",
        ]
    place = ", device=device" if _on_device(spec) else ""
    return definition(
        "def draw_batch(step)",
        "Return sequences (batch, tokens), and at which places the next token can be known.",
        [
            "generator = torch.Generator().manual_seed((seed * 1_000_003 + step) % 2**32)",
            "integers = integers_from(generator)",
            *drawn,
            f"known = [[each is not None for each in {answers}(knobs, tokens)] for tokens in sequences]",
            f"return torch.tensor(sequences{place}), torch.tensor(known{place})",
        ],
    )


def _model(spec: TrainSpec) -> list[str]:
    """Return the classes of the model, with only the parts that a spec uses."""
    positions = POSITIONS[spec.positions]
    rotation = positions.attention.rotation
    rotary = (rotation.tables, rotation.rotated) if rotation else ()
    return [
        SPLIT_HEADS,
        MERGE_HEADS,
        *source_of(*filter(None, (*rotary, positions.bias, positions.vectors))),
        _attention(spec),
        *([_FEED_FORWARD] if spec.feed_forward else []),
        _layer(spec),
        _transformer(spec),
    ]


def _attention(spec: TrainSpec) -> str:
    init = ["super().__init__()"]
    init += [f"self.W_{name} = nn.Linear(num_hiddens, num_hiddens, bias=False)" for name in "qkvo"]
    rotated, bias = [], []
    positions = POSITIONS[spec.positions]
    if rotation := positions.attention.rotation:
        tables, turn = (each.__name__.lstrip("_") for each in (rotation.tables, rotation.rotated))
        init += [
            f"cos, sin = {tables}(num_tokens, num_hiddens // num_heads)",
            'self.register_buffer("cos", cos.float(), persistent=False)',
            'self.register_buffer("sin", sin.float(), persistent=False)',
        ]
        rotated = [
            "cos, sin = self.cos[: x.shape[1]], self.sin[: x.shape[1]]",
            f"q, k = {turn}(q, cos, sin), {turn}(k, cos, sin)",
        ]
    if positions.bias is not None:
        init += [f"bias = {positions.bias.__name__}(num_heads, num_tokens)"]
        init += ['self.register_buffer("bias", bias, persistent=False)']
        bias = ["scores = scores + self.bias[:, : x.shape[1], : x.shape[1]]"]
    off = []
    if spec.heads_off:
        init += ["self.heads_off = []"]
        off = [
            "if self.heads_off:  # such heads add nothing",
            "    pooled = pooled.index_fill(1, torch.tensor(self.heads_off, device=x.device), 0.0)",
        ]
    forward = [
        "q, k, v = (split_heads(W(x), num_heads) for W in (self.W_q, self.W_k, self.W_v))",
        *rotated,
        "scores = q @ k.transpose(-2, -1) / math.sqrt(num_hiddens // num_heads)",
        *bias,
        "self.attention_weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)",
        "pooled = self.attention_weights @ v",
        *off,
        "return self.W_o(merge_heads(pooled))",
    ]
    return _module("Attention", "Multi-head attention of a sequence to itself.", init, "x, mask", forward)


def _layer(spec: TrainSpec) -> str:
    """Return the class of a layer; its parts are registered in the order in which their parameters are drawn."""
    norm = ["self.attention_norm = nn.LayerNorm(num_hiddens)"] if spec.norm else []
    init = ["super().__init__()", *norm, "self.attention = Attention()"]
    read = "self.attention_norm(stream)" if spec.norm else "stream"
    forward = [f"stream = stream + self.attention({read}, mask)"]
    if spec.feed_forward:
        init += ["self.feed_forward_norm = nn.LayerNorm(num_hiddens)"] if spec.norm else []
        init += ["self.feed_forward = FeedForward()"]
        read = "self.feed_forward_norm(stream)" if spec.norm else "stream"
        forward += [f"stream = stream + self.feed_forward({read})"]
    what = "Attention and a feed-forward network add" if spec.feed_forward else "Attention adds"
    return _module("Layer", f"{what} to the residual stream.", init, "stream, mask", [*forward, "return stream"])


def _transformer(spec: TrainSpec) -> str:
    init = ["super().__init__()", "self.embedding = nn.Embedding(vocab_size, num_hiddens)"]
    forward = ["length = tokens.shape[1]", "stream = self.embedding(tokens)"]
    buffers = ["mask = torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril()"]
    buffers += ['self.register_buffer("mask", mask, persistent=False)']
    positions = POSITIONS[spec.positions]
    if positions.is_learned:
        init += ["self.position_embedding = nn.Embedding(num_tokens, num_hiddens)"]
        forward += ["stream = stream + self.position_embedding.weight[:length]"]
    if positions.vectors is not None:
        buffers += [f"places = {positions.vectors.__name__}(num_tokens, num_hiddens)"]
        buffers += ['self.register_buffer("places", places, persistent=False)']
        forward += ["stream = stream + self.places[:length]"]
    init += ["self.layers = nn.ModuleList(Layer() for _ in range(num_layers))"]
    init += ["self.final_norm = nn.LayerNorm(num_hiddens)"] if spec.norm else []
    init += [] if spec.tied_embedding else ["self.unembedding = nn.Linear(num_hiddens, vocab_size, bias=False)"]
    read = "self.final_norm(stream)" if spec.norm else "stream"
    logits = f"nn.functional.linear({read}, self.embedding.weight)"
    forward += [
        "for layer in self.layers:",
        "    stream = layer(stream, self.mask[:length, :length])",
        f"return {logits if spec.tied_embedding else f'self.unembedding({read})'}",
    ]
    docstring = "A decoder: logits (batch, tokens, vocabulary) of the token after each place."
    return _module("Transformer", docstring, [*init, *buffers], "tokens", forward)


def _module(name: str, docstring: str, init: list[str], takes: str, forward: list[str]) -> str:
    methods = [definition("def __init__(self)", "", init), definition(f"def forward(self, {takes})", "", forward)]
    return definition(f"class {name}(nn.Module)", docstring, ["", methods[0], "", methods[1]])


def _rate(spec: TrainSpec) -> list[str]:
    if not (spec.warmup or spec.changes):
        return []
    body = ["rate = learning_rate"]
    if spec.changes:
        body += ["for start, changed in changes:", "    rate = changed if start <= step else rate"]
    body.append(f"return rate{' * min(1.0, (step + 1) / warmup)' if spec.warmup else ''}")
    return [definition("def rate_at(step)", "Return the learning rate of a step.", body)]


def _train(spec: TrainSpec) -> str:
    record = OPTIMIZERS[spec.optimizer]
    takes = ["model.parameters()", "lr=learning_rate", *record.torch_arguments(spec.momentum, spec.weight_decay)]
    clipped = f"nn.utils.clip_grad_norm_(model.parameters(), {spec.clip!r})"
    step = [
        "tokens, known = draw_batch(step)",
        "known = known[:, :-1]  # the last place has no next token",
        "logits, targets = model(tokens)[:, :-1][known], tokens[:, 1:][known]",
        "loss = nn.functional.cross_entropy(logits, targets)",
        "optimizer.zero_grad()",
        "loss.backward()",
        *([clipped] if spec.clip is not None else []),
        *(['optimizer.param_groups[0]["lr"] = rate_at(step)'] if _rate(spec) else []),
        "optimizer.step()",
        "losses.append(loss.item())",
        "accuracies.append((logits.argmax(dim=-1) == targets).float().mean().item())",
        f"if step % {max(1, spec.steps // _PRINTED)} == 0:",
        '    print(f"step {step}: loss {losses[-1]:.4f}, accuracy {accuracies[-1]:.0%}")',
    ]
    body = [
        filled(f"optimizer = torch.optim.{record.torch_class}(", listed(takes), ")", WIDTH - 4),
        "losses, accuracies = [], []",
        "for step in range(steps):",
        *indented(step),
        "return losses, accuracies",
    ]
    docstring = "Train a model; return the loss and the accuracy of each step's batch, before the step."
    return definition("def train(model)", docstring, body)


_PRINTABLE = "printable = [each if each.isprintable() else repr(each) for each in alphabet]"
"""A terminal may act on control characters."""


def _looked_at(spec: TrainSpec) -> str:
    """Return the lines that train the model and evaluate it on the probe."""
    moved = [*(["device"] if _on_device(spec) else []), *(["torch.float64"] if spec.dtype == "float64" else [])]
    probe = spec.probe_tokens
    words = "alphabet" if all(map(str.isprintable, spec.alphabet)) else "printable"
    lines = [
        "model = Transformer()",
        "generator = torch.Generator().manual_seed(seed)",
        "for name, each in model.named_parameters():",
        f"    each.data = initial_values(name, each.shape, {spec.tied_embedding}, generator)",
        *([f"model = model.to({', '.join(moved)})"] if moved else []),
        "losses, accuracies = train(model)",
        "",
    ]
    if spec.heads_off:
        pairs = listed(f"({layer}, {head})" for layer, head in spec.pairs_off)
        lines += [
            "# These heads, counted from 0, are off in what follows",
            filled("heads_off = [", pairs, "]"),
            "for layer, head in heads_off:",
            "    model.layers[layer].attention.heads_off.append(head)",
        ]
    lines += [
        filled("probe = torch.tensor([", listed(map(str, probe)), f"]{', device=device' * _on_device(spec)})"),
        "with torch.no_grad():",
        "    logits = model(probe[None])[0]",
        "probabilities = logits.double().softmax(dim=-1)  # (tokens, vocabulary)",
        "weights = torch.cat([layer.attention.attention_weights for layer in model.layers])",
        "# (layers, heads, tokens, tokens)",
        "",
        filled("alphabet = [", listed(map(literal, spec.alphabet)), "]"),
        *([] if words == "alphabet" else [_PRINTABLE]),
        'print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, accuracy {accuracies[-1]:.0%}")',
        f'print("tokens", *({words}[token] for token in probe))',
        f'print("predicted next", *({words}[token] for token in logits.argmax(dim=-1)))',
        "torch.set_printoptions(precision=6, sci_mode=False)",
        'print("weights", tuple(weights.shape), "of the last token:")',
        "print(weights[:, :, -1])",
    ]
    return "\n".join(lines)
