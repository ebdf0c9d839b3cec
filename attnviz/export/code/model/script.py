"""The script of the model lab: torch and transformers load the folder, read the text, and give the same weights."""

from typing import Any

from attnviz.experiment.model.interventions.intervention import ChangesOutputs, Divides, Forbids, Intervention
from attnviz.experiment.model.sides import OF_KIND, HeadAt, has_sides
from attnviz.experiment.model.spec import ModelSpec
from attnviz.export.code.model import generation, images, sides
from attnviz.export.code.text import (
    ALL_CORES,
    WIDTH,
    Script,
    chosen,
    definition,
    filled,
    imports,
    indented,
    listed,
    literal,
    string,
)

_OFFLINE = """\
os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error")  # no network
os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"  # nor a bar while it loads"""
_LOAD = """\
with open(f"{folder}/config.json", encoding="utf-8") as file:
    made_by = (json.load(file).get("architectures") or ["AutoModel"])[0]
kind = getattr(transformers, made_by, transformers.AutoModel)
model = kind.from_pretrained(
    folder, dtype=dtype, attn_implementation="eager", use_safetensors=True, local_files_only=True
)
if model.config.model_type in ("clip", "metaclip_2", "siglip"):
    model = model.text_model
model = (model.get_encoder() if model.config.is_encoder_decoder else model).to(device).eval()  #? not sided
model = model.to(device).eval()  #? sided
model.requires_grad_(False)  # or a product of a weight may be computed in another order
model.config.get_text_config().use_cache = False  #? not generate, not sided

tokenizer = tokenizers.Tokenizer.from_file(f"{folder}/tokenizer.json")
tokenizer.no_padding()
tokenizer.no_truncation()"""
_TOKENS_OF = definition(
    "def tokens_of(text)",
    "Return the numbers of the tokens of a text, (1, tokens).",
    ["return torch.tensor([tokenizer.encode(text, add_special_tokens=special_tokens).ids], device=device)"],
)
_TOKENS_OF_CHAT = definition(
    "def tokens_of(text)",
    "Return the numbers of the tokens of a user's turn, (1, tokens).",
    [
        'turn = [{"role": "user", "content": text}]',
        "by = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)",
        "text = by.apply_chat_template(turn, tokenize=False, add_generation_prompt=True)",
        "return torch.tensor([tokenizer.encode(text, add_special_tokens=False).ids], device=device)",
    ],
)
_RUN = """\
with torch.inference_mode():
    tokens = tokens_of(text)
    result = model(tokens, output_attentions=True)
# Some families have states of layers without attention among them.
found = [each for each in result.attentions if each is not None]
weights = torch.cat([each for each in found if each.shape[2:] == (tokens.shape[1],) * 2])"""
_MASKED = '''\
def masked(mask, query, layer):
    """Return the additive mask without the cells that are forbidden; an emptied row sees itself."""
    _, num_heads, tokens, _ = query.shape
    least = torch.finfo(query.dtype).min
    allowed = torch.ones(1, num_heads, tokens, tokens, dtype=torch.bool, device=device)
    $forbids
    mask = torch.zeros((1, 1, tokens, tokens)).to(query) if mask is None else mask
    before = mask > least / 2
    after = before & allowed
    emptied = before.any(-1, keepdim=True) & ~after.any(-1, keepdim=True)
    after = after | emptied & torch.eye(tokens, dtype=torch.bool, device=device)
    return mask.masked_fill(~after, least)'''
_RUN_CHANGED = '''\
def run($read, changed=True, heads_of_b=()):
    """Return the result, the weights of each layer, and the outputs of its heads.

    The model's own functions compute them; the changes act on what these get and return.
    """
    sources = {sys.modules[type(each).__module__] for each in model.modules()}
    if not any(hasattr(each, "eager_attention_forward") for each in sources):
        sys.exit("this family has no function of its own for attention; a script cannot change it")
    names = {module: name for name, module in model.named_modules()}
    weights, heads = {}, {}

    def attend(module, query, key, value, attention_mask, **given):
        files = (sys.modules[kind.__module__] for kind in type(module).__mro__)
        own = next(each for each in files if hasattr(each, "eager_attention_forward"))
        # Its number in the model; where the module's name has none, or that of a layer before, the next one.
        number = next((int(part) for part in names[module].split(".") if part.isdigit()), 0)
        layer = max(number, max(weights, default=-1) + 1)
        if changed:  #? forbids
            attention_mask = masked(attention_mask, query, layer)  #? forbids
        attention = cooled if changed else own.eager_attention_forward  #? divisor
        attention = own.eager_attention_forward  #? not divisor
        pooled, made = attention(module, query, key, value, attention_mask, **given)
        pooled = pooled.clone(memory_format=torch.contiguous_format)  # (1, tokens, heads, features)
        if changed:  #? outputs
            $outputs  #? outputs
        weights[layer], heads[layer] = made, pooled
        return pooled, made

    lookups = [getattr(each, "ALL_ATTENTION_FUNCTIONS", {}) for each in sources]
    for each in lookups:
        each["eager"] = attend  # some models compute otherwise under a name that they do not know
    with torch.inference_mode():
        result = model($inputs)
    for each in lookups:
        each.pop("eager", None)
    return result, torch.cat(list(weights.values())), heads'''
_COOLED = '''\
def cooled(
    module, query, key, value, mask, scaling=None, softcap=None, position_bias=None, s_aux=None, **_
):
    """Return what the weights of the divided scores pool, and these."""
    shared = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(shared, 1), value.repeat_interleave(shared, 1)
    scores = query @ key.transpose(-1, -2) * (query.shape[-1] ** -0.5 if scaling is None else scaling)
    if softcap is not None:
        scores = torch.tanh(scores / softcap) * softcap
    if position_bias is not None:
        scores = scores + position_bias
    least = torch.finfo(scores.dtype).min
    forbidden = None if mask is None else mask <= least / 2
    if mask is not None:
        scores = scores + mask.masked_fill(forbidden, 0)  # it may hold a bias too
    scores = scores / $divisor
    if mask is not None:
        scores = scores.masked_fill(forbidden, least)
    sinks = getattr(module, "sinks", None) if s_aux is None else s_aux
    if sinks is None:
        made = scores.softmax(-1, dtype=torch.float32).to(query.dtype)
    else:  # a further score per head, which is not divided
        sinks = sinks.to(scores.dtype).reshape(1, -1, 1, 1).expand(*scores.shape[:3], 1)
        scores = torch.cat([scores, sinks], -1)
        made = (scores - scores.max(-1, keepdim=True).values).softmax(-1)[..., :-1]
    return (made @ value).transpose(1, 2), made'''
_CALLED = "result, weights, _ = run($read$of_b)"
_PRINT = """\
print("weights (layers, heads, queries, keys):", tuple(weights.shape))
print(weights)"""


def model_script(spec: ModelSpec) -> Script:
    """Return the script of a spec."""
    changed = spec.has_changes
    if spec.image:
        return _of_image(spec)
    words = ["The attention of a pretrained model on a text, with torch and transformers alone."]
    sided = _has_sides(spec)
    standard = ["import json", *["import re"] * (changed and sided), *["import sys"] * changed]
    lines = imports(standard, ["import tokenizers", "import transformers"], nn=False, threads=ALL_CORES)
    lines.insert(lines.index("import os") + 2, _OFFLINE)
    load = chosen(_LOAD, {"generate": spec.generate, "sided": sided})
    run = _changed(spec) if changed else generation.blocks(spec) if spec.generate else [_RUN]
    if sided:
        run = [sides.WRITTEN_OF, *(_changed(spec) if changed else sides.blocks(spec))]
    tokens_of = _TOKENS_OF_CHAT if spec.chat else _TOKENS_OF
    return Script(words, lines, [_settings(spec), load, tokens_of, *run, sides.PRINT if sided else _PRINT])


def _of_image(spec: ModelSpec) -> Script:
    """Return the script of a spec with an image."""
    words = ["The attention of a vision transformer on an image, with torch, transformers and Pillow alone."]
    standard = ["import json", *["import sys"] * spec.has_changes]
    further = ["import numpy as np", "import transformers", "from PIL import Image, ImageOps"]
    lines = imports(standard, further, nn=False, threads=ALL_CORES)
    lines.insert(lines.index("import os") + 2, _OFFLINE)
    run = _changed(spec) if spec.has_changes else [images.RUN]
    return Script(words, lines, [_settings(spec), images.LOAD, images.PREPARED, *run, images.PRINT, _PRINT])


def _changed(spec: ModelSpec) -> list[str]:
    """Return the blocks of a run with interventions."""
    forbids, divides, outputs = (
        [_lines(spec, name, each) for name, each in spec.acting.items() if isinstance(each.effect, kind)]
        for kind in (Forbids, Divides, ChangesOutputs)
    )
    parts = {
        "forbids": "\n".join(forbids),
        "divisor": divides[0] if len(divides) == 1 else f"({' * '.join(divides)})" if divides else "",
        "outputs": "\n".join(outputs),
        "read": "image" if spec.image else "text",
        "inputs": "pixels_of(image)" if spec.image else "tokens_of(text)",
        "of_b": ", heads_of_b=run(text_b, changed=False)[2]" if _reads_b(spec) else "",
    }
    cooled = [_COOLED] * bool(divides)
    if _has_sides(spec):
        return [_changes(spec), *sides.changed_blocks(spec, parts, [chosen(each, parts) for each in cooled])]
    if spec.generate:
        parts |= generation.parts_of(spec)
        templates = [*[generation.MASKED] * bool(forbids), *cooled, *generation.RUN_CHANGED]
    else:
        templates = [*[_MASKED] * bool(forbids), *cooled, _RUN_CHANGED, _CALLED]
    return [_changes(spec), *(chosen(each, parts) for each in templates)]


def _lines(spec: ModelSpec, name: str, each: Intervention) -> str:
    """Return the lines of the effect of an intervention, which is in a field of this name."""
    sided = _has_sides(spec)
    lines = (each.script.generating if spec.generate or sided else "") or each.script.lines
    only = sides.ONLY.get(name) if sided else None
    return lines if only is None else "\n".join([only, *indented([lines])])


def _has_sides(spec: ModelSpec) -> bool:
    """Return whether the script is that of an encoder-decoder."""
    return not spec.image and has_sides(spec.path)


def _reads_b(spec: ModelSpec) -> bool:
    return any(each.reads_b for each in spec.acting.values())


def _settings(spec: ModelSpec) -> str:
    device = "cpu" if spec.device == "auto" else spec.device
    texts = {"folder": spec.path.as_posix()}
    texts |= {"image": spec.image_path.as_posix()} if spec.image else {"text": spec.text}
    texts |= {"text_b": spec.text_b} if _reads_b(spec) else {}
    lines = [_assigned(name, text) for name, text in texts.items()]
    lines += [] if spec.image else [f"special_tokens = {spec.special_tokens}"]
    lines += [f"dtype, device = torch.{spec.dtype}, {literal(device)}"]
    if _has_sides(spec):
        lines += [_assigned("target", spec.target), f"forced = {spec.forced_bos_token_id}  # the first new token"]
        spec = spec.model_copy(update={"generate": sides.new_tokens(spec)})
    lines += generation.settings(spec) if spec.generate else []
    return "\n".join(lines)


def _assigned(name: str, text: str) -> str:
    one_line = f"{name} = {literal(text)}"
    return one_line if len(one_line) <= WIDTH else string(f"{name} = (", text, ")")


def _changes(spec: ModelSpec) -> str:
    """Return the values of the interventions."""
    lines = ["# Layers, heads and tokens count from 0 here."]
    for each in spec.acting.values():
        values = {name: _of_layers(spec, value) for name, value in each.script.values(spec).items()}
        written = [_value(name, value) for name, value in values.items()]
        lines += [*written[:-1], written[-1] + each.script.comment]
    return "\n".join(lines)


def _of_layers(spec: ModelSpec, value: Any) -> Any:
    """Return a value with layers and heads as numbers; see `InScript.values`."""
    if not isinstance(value, list) or not all(
        isinstance(each, tuple) and isinstance(each[0], HeadAt) for each in value
    ):
        return value
    if _has_sides(spec):
        return [((OF_KIND[at.kind], at.layer), at.head, *rest) for at, *rest in value]
    return [(at.layer, at.head, *rest) for at, *rest in value]


def _value(name: str, value: Any) -> str:
    if isinstance(value, list):
        return filled(f"{name} = [", listed(map(repr, value)), "]")
    return f"{name} = {literal(value) if isinstance(value, str) else repr(value)}"
