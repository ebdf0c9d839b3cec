"""The parts of the model lab's script for an encoder-decoder: the same answer, and the weights of its three sides."""

from typing import Any

from attnviz.experiment.model.generation import MOST_UNASKED
from attnviz.experiment.model.spec import ModelSpec
from attnviz.export.code.model import generation
from attnviz.export.code.text import chosen

ONLY = {"tokens_hidden": 'if layer[0] != "decoder":  # its tokens are others'}
"""The condition before the lines of an intervention, by its field."""
WRITTEN_OF = '''\
def written_of(target):
    """Return what the decoder reads first: its start token, and before a target the forced one."""
    settings = model.generation_config
    start = settings.decoder_start_token_id
    start = settings.bos_token_id if start is None else start
    first = settings.forced_bos_token_id if forced is None else forced
    ids = tokenizer.encode(target, add_special_tokens=False).ids
    before = [start] if first is None or ids[:1] in ([], [first]) else [start, first]
    return torch.tensor([before + ids], device=device)


tokens, written = tokens_of(text), written_of(target)'''
_RUN = """\
with torch.inference_mode():
    result = model(
        input_ids=tokens, decoder_input_ids=written, output_attentions=True, use_cache=False
    )
encoder = torch.cat(result.encoder_attentions)
decoder, cross = torch.cat(result.decoder_attentions), torch.cat(result.cross_attentions)"""
_GENERATE = """\
result = model.generate(
    tokens, attention_mask=torch.ones_like(tokens), decoder_input_ids=written,
    forced_bos_token_id=forced,  #? forced
    max_new_tokens=generate, do_sample=False, num_beams=1, use_cache=True,
    logits_processor=transformers.LogitsProcessorList([$processors]),
    output_attentions=True,  #? not changed
    return_dict_in_generate=True,
)"""
_RUN_GENERATING = """\
with torch.inference_mode():
    $call
generated = result.sequences[0, written.shape[1] :].tolist()
encoder, passes, crosses = result.encoder_attentions, result.decoder_attentions, result.cross_attentions"""
_ASSEMBLED = """\
# The first pass has the rows of the target, each further one that of a new token.
encoder = torch.cat(encoder)
cross = torch.cat([torch.cat(list(made)) for made in crosses], 2)
count = written.shape[1] + len(passes) - 1
decoder = torch.zeros(
    len(passes[0]), passes[0][0].shape[1], count, count, dtype=dtype, device=device
)
for last, made in enumerate(passes, start=written.shape[1]):
    rows = written.shape[1] if last == written.shape[1] else 1
    for layer, each in enumerate(made):
        decoder[layer, :, last - rows : last, last - each.shape[3] : last] = each[0, :, -rows:]
print("generated:", generated, [tokenizer.decode([each]) for each in generated])  #? generate"""
_MASKED = '''\
def masked(mask, query, key, layer, first):
    """Return the additive mask without the cells that are forbidden; an emptied row sees itself."""
    side, num_heads = layer[0], query.shape[1]
    source, most, least = tokens.shape[1], written.shape[1] + $most, torch.finfo(query.dtype).min
    shape = source if side == "encoder" else most, most if side == "decoder" else source
    allowed = torch.ones(1, num_heads, *shape, dtype=torch.bool, device=device)
    $forbids
    last = first + query.shape[2]
    rows = slice(first, last)
    columns = slice(last - key.shape[2], last) if side == "decoder" else slice(None)
    allowed = allowed[:, :, rows, columns]
    mask = torch.zeros((1, 1, *allowed.shape[2:])).to(query) if mask is None else mask
    before = mask > least / 2
    after = before & allowed
    emptied = before.any(-1, keepdim=True) & ~after.any(-1, keepdim=True)
    itself = torch.eye(*shape, dtype=torch.bool, device=device)[rows, columns]
    after = after | emptied & (before if side == "cross" else itself)
    return mask.masked_fill(~after, least)'''
_RUN_CHANGED = '''\
def run(text, changed=True, heads_of_b=()):
    """Return the new tokens, the weights of each side and layer in each pass, and the heads' outputs.

    The model's own functions compute them; the changes act on what these get and return. Text B is only read.
    """
    sources = {sys.modules[type(each).__module__] for each in model.modules()}
    if not any(hasattr(each, "eager_attention_forward") for each in sources):
        sys.exit("this family has no function of its own for attention; a script cannot change it")
    names = {module: name for name, module in model.named_modules()}
    inside = set(model.get_encoder().modules())
    passes, heads, means, begins = [{}], {}, {}, 0

    def attend(module, query, key, value, attention_mask, **given):
        files = (sys.modules[kind.__module__] for kind in type(module).__mro__)
        own = next(each for each in files if hasattr(each, "eager_attention_forward"))
        is_cross = re.search("cross|encoder_attn|EncDec", names[module])
        side = "cross" if is_cross else "encoder" if module in inside else "decoder"
        layer = side, next(int(part) for part in names[module].split(".") if part.isdigit())
        first = 0 if side == "encoder" else begins
        if changed:  #? forbids
            attention_mask = masked(attention_mask, query, key, layer, first)  #? forbids
        attention = cooled if changed else own.eager_attention_forward  #? divisor
        attention = own.eager_attention_forward  #? not divisor
        pooled, made = attention(module, query, key, value, attention_mask, **given)
        pooled = pooled.clone(memory_format=torch.contiguous_format)  # (1, tokens, heads, features)
        if changed:  #? outputs
            $outputs  #? outputs
        passes[-1][layer] = made
        heads.setdefault(layer, pooled)
        return pooled, made

    $choose  #? generate

    lookups = [getattr(each, "ALL_ATTENTION_FUNCTIONS", {}) for each in sources]
    for each in lookups:
        each["eager"] = attend  # some models compute otherwise under a name that they do not know
    ids = []
    with torch.inference_mode():
        if changed:  #? generate
            $call  #? generate
            ids = result.sequences[0, written.shape[1] :].tolist()  #? generate
        else:  #? generate
            model(input_ids=tokens_of(text), decoder_input_ids=written, use_cache=False)  #? generate
        model(input_ids=tokens_of(text), decoder_input_ids=written, use_cache=False)  #? not generate
    for each in lookups:
        each.pop("eager", None)
    return ids, [each for each in passes if each], heads'''
_CALLED = """\
generated, made, _ = run(text$of_b)
encoder, passes, crosses = (
    [[each for (of, _), each in of_pass.items() if of == side] for of_pass in made]
    for side in ("encoder", "decoder", "cross")
)
encoder = encoder[0]"""
PRINT = """\
for name, weights in (("encoder", encoder), ("decoder", decoder), ("cross", cross)):
    print(f"{name} (layers, heads, queries, keys):", tuple(weights.shape))
    print(weights)"""


def new_tokens(spec: ModelSpec) -> int:
    """Return the most tokens that the model writes."""
    return spec.generate or (0 if spec.target else MOST_UNASKED)


def _parts_of(spec: ModelSpec) -> dict[str, Any]:
    """Return the parts of the templates."""
    parts = generation.parts_of(spec) | {"forced": spec.forced_bos_token_id is not None, "generate": new_tokens(spec)}
    choose = parts["choose"].replace("tokens.shape", "written.shape").replace("first", "begins")
    return parts | {"choose": choose, "call": chosen(_GENERATE, parts)}


def blocks(spec: ModelSpec) -> list[str]:
    """Return the blocks of a run without interventions."""
    parts = _parts_of(spec)
    if not parts["generate"]:
        return [_RUN]
    return [parts["choose"], chosen(_RUN_GENERATING, parts), chosen(_ASSEMBLED, parts)]


def changed_blocks(spec: ModelSpec, parts: dict[str, Any], cooled: list[str]) -> list[str]:
    """Return the blocks of a run with interventions, with their lines among the ``parts``."""
    parts = parts | _parts_of(spec)
    parts["most"] = "generate" if parts["generate"] else "0"
    parts["choose"] = parts["choose"] if parts["generate"] else ""
    templates = [*[_MASKED] * bool(parts["forbids"]), *cooled, _RUN_CHANGED, _CALLED, _ASSEMBLED]
    return [chosen(each, parts) for each in templates]
