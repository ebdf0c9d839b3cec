"""The parts of the model lab's script for a generation: the same tokens, and the weights of every pass."""

from typing import Any

from attnviz.experiment.model.spec import ModelSpec
from attnviz.export.code.text import chosen

_CHOOSE = '''\
def choose(ids, scores):
    """Choose the token of a step, after all logits processors: nothing is left for generate."""
    nonlocal first  #? changed
    first = ids.shape[1]  #? changed
    passes.append({})  #? changed
    token = int(scores[0].argmax())  #? not draws
    token = int(torch.multinomial(scores[0].softmax(-1).cpu(), 1, generator=random))  #? draws
    token = chosen.get(ids.shape[1] - tokens.shape[1], token)  #? chosen
    only = torch.full_like(scores, -torch.inf)
    return only.index_fill(1, torch.tensor([token], device=device), 0.0)'''
_GENERATE = """\
result = model.generate(
    tokens, attention_mask=torch.ones_like(tokens),
    max_new_tokens=generate, do_sample=False, num_beams=1, use_cache=True,
    logits_processor=transformers.LogitsProcessorList([$processors]),
    output_attentions=True,  #? not changed
    return_dict_in_generate=True,
)"""
_RUN = """\
tokens = tokens_of(text)
with torch.inference_mode():
    $call
generated = result.sequences[0, tokens.shape[1] :].tolist()
passes = [[each for each in made if each is not None] for made in result.attentions]"""
_ASSEMBLED = """\
# The first pass has the rows of the text, each further one that of a new token and the keys in the cache.
count = tokens.shape[1] + len(passes) - 1
weights = torch.zeros(len(passes[0]), passes[0][0].shape[1], count, count, dtype=dtype, device=device)
for last, made in enumerate(passes, start=tokens.shape[1]):
    rows = tokens.shape[1] if last == tokens.shape[1] else 1
    for layer, each in enumerate(made):
        weights[layer, :, last - rows : last, last - each.shape[3] : last] = each[0, :, -rows:]
print("generated:", generated, [tokenizer.decode([each]) for each in generated])"""
MASKED = '''\
def masked(mask, query, layer, rows, columns):
    """Return the additive mask without the cells that are forbidden; an emptied row sees itself."""
    num_heads, most = query.shape[1], tokens.shape[1] + generate
    least = torch.finfo(query.dtype).min
    allowed = torch.ones(1, num_heads, most, most, dtype=torch.bool, device=device)
    $forbids
    allowed = allowed[:, :, rows, columns]
    mask = torch.zeros((1, 1, *allowed.shape[2:])).to(query) if mask is None else mask
    before = mask > least / 2
    after = before & allowed
    emptied = before.any(-1, keepdim=True) & ~after.any(-1, keepdim=True)
    after = after | emptied & torch.eye(most, dtype=torch.bool, device=device)[rows, columns]
    return mask.masked_fill(~after, least)'''
_RUN_CHANGED = '''\
def run(text, changed=True, heads_of_b=()):
    """Return the new tokens, the weights of each layer in each pass, and the heads' outputs in the first.

    The model's own functions compute them; the changes act on what these get and return. Text B is only read.
    """
    sources = {sys.modules[type(each).__module__] for each in model.modules()}
    if not any(hasattr(each, "eager_attention_forward") for each in sources):
        sys.exit("this family has no function of its own for attention; a script cannot change it")
    names = {module: name for name, module in model.named_modules()}
    passes, heads, means, first = [{}], {}, {}, 0

    def attend(module, query, key, value, attention_mask, **given):
        files = (sys.modules[kind.__module__] for kind in type(module).__mro__)
        own = next(each for each in files if hasattr(each, "eager_attention_forward"))
        # Its number in the model; where the module's name has none, or that of a layer before, the next one.
        number = next((int(part) for part in names[module].split(".") if part.isdigit()), 0)
        layer = max(number, max(passes[-1], default=-1) + 1)
        if changed:  #? forbids
            last = first + query.shape[2]  #? forbids
            rows, columns = slice(first, last), slice(last - key.shape[2], last)  #? forbids
            attention_mask = masked(attention_mask, query, layer, rows, columns)  #? forbids
        attention = cooled if changed else own.eager_attention_forward  #? divisor
        attention = own.eager_attention_forward  #? not divisor
        pooled, made = attention(module, query, key, value, attention_mask, **given)
        pooled = pooled.clone(memory_format=torch.contiguous_format)  # (1, tokens, heads, features)
        if changed:  #? outputs
            $outputs  #? outputs
        passes[-1][layer] = made
        heads.setdefault(layer, pooled)
        return pooled, made

    $choose

    lookups = [getattr(each, "ALL_ATTENTION_FUNCTIONS", {}) for each in sources]
    for each in lookups:
        each["eager"] = attend  # some models compute otherwise under a name that they do not know
    ids = []
    with torch.inference_mode():
        if changed:
            $call
            ids = result.sequences[0, tokens.shape[1] :].tolist()
        else:
            model(tokens_of(text), use_cache=False)
    for each in lookups:
        each.pop("eager", None)
    return ids, [list(each.values()) for each in passes if each], heads'''
RUN_CHANGED = (
    "tokens = tokens_of(text)",
    _RUN_CHANGED,
    "generated, passes, _ = run(text$of_b)",
    _ASSEMBLED.replace("$", "$$"),
)
"""The templates of a generation with interventions; see `parts_of`."""


def settings(spec: ModelSpec) -> list[str]:
    """Return the assignments of a generation's values."""
    lines = [f"generate = {spec.generate}"]
    if spec.chosen:
        lines.append(f"chosen = {spec.chosen.by_step}  # by step, from 0")
    if spec.choose == "sample":
        lines.append(f"random = torch.Generator().manual_seed({spec.seed})")
    return lines


def parts_of(spec: ModelSpec) -> dict[str, Any]:
    """Return the parts of the templates."""
    of, draws = spec.sampling, spec.choose == "sample"
    processors = {
        f"TemperatureLogitsWarper({of.temperature!r})": draws and of.temperature != 1,
        f"TopKLogitsWarper({of.top_k})": draws and of.top_k > 0,
        f"TopPLogitsWarper({of.top_p!r})": draws and of.top_p < 1,
    }
    names = [f"transformers.{name}" for name, acts in processors.items() if acts]
    parts = {"draws": draws, "chosen": spec.chosen, "changed": spec.has_changes}
    parts["processors"] = "".join(f"\n        {each}," for each in [*names, "choose"]) + "\n    " if names else "choose"
    return parts | {"choose": chosen(_CHOOSE, parts), "call": chosen(_GENERATE, parts)}


def blocks(spec: ModelSpec) -> list[str]:
    """Return the blocks of a generation without interventions."""
    parts = parts_of(spec)
    return [parts["choose"], chosen(_RUN, parts), _ASSEMBLED]
