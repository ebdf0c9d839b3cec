"""Trains the small model that comes along, resources/models/induction, and says what its heads do.

usage: python packaging/train_induction.py [FOLDER]

A transformer in LLaMA's format learns to go on with what came before: after a random beginning, eight different words
and a random filler, the same eight words follow once more, and only they are asked for. Where they begin differs each
time, so that no fixed distance helps. It takes some seconds on one core and depends on nothing but the seed; another
machine may round otherwise.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from attnviz.engine.model.loading import transformers

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "models" / "induction"
VOCABULARY = (
    "[UNK] . , then one red fox ran home and the a old cat dog sat saw blue bird tree house under with into night day "
    "her his sang slept quiet who"
)
WORDS = VOCABULARY.split()
SEED = 21
"""Chosen for what its heads teach: head 1.2 looks at nothing but the word itself, and without it nothing is predicted;
head 1.4 looks at the word before, and is missed little, for 1.1 and 1.3 stand in for it."""
STEPS, WARM_UP, BATCH, RATE = 600, 50, 64, 1e-2
SEGMENT, MOST_AROUND = 8, 6
"""How many words are repeated, and how many others there are before and between at most."""
PROMPT, NEXT = "then one red fox ran home and one red fox ran", "home"


def untrained(generator: torch.Generator) -> Any:
    """Return the model before the training; its feed-forward parts are zero and stay so."""
    config = transformers().LlamaConfig(
        vocab_size=len(WORDS),
        hidden_size=64,
        intermediate_size=16,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=256,
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=None,
        tie_word_embeddings=False,
    )
    model = transformers().LlamaForCausalLM._from_config(config, attn_implementation="eager")
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if ".mlp." in name:
                parameter.zero_().requires_grad_(False)
            elif parameter.dim() > 1:
                parameter.normal_(0, config.initializer_range, generator=generator)
    return model


def texts(count: int, generator: torch.Generator) -> tuple[Tensor, int]:
    """Return texts as numbers of words (count, length), and where the repeated words begin for the second time."""
    before, between = torch.randint(MOST_AROUND + 1, (2,), generator=generator).tolist()
    mixed = torch.rand(count, len(WORDS), generator=generator).argsort(1)
    segment, others = mixed[:, :SEGMENT], mixed[:, SEGMENT:]
    around = others.gather(1, torch.randint(others.shape[1], (count, before + between), generator=generator))
    return torch.cat([around[:, :before], segment, around[:, before:], segment], 1), before + SEGMENT + between


def trained(seed: int = SEED, steps: int = STEPS) -> Any:
    """Return the model after the training."""
    generator = torch.Generator().manual_seed(seed)
    model = untrained(generator).train()
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=RATE)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / WARM_UP, 2 * (steps - step) / steps)
        tokens, begin = texts(BATCH, generator)
        logits = model(input_ids=tokens, use_cache=False).logits[:, begin:-1]
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, begin + 1 :].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        if step % 50 == 49:
            print(f"step {step + 1}: loss {loss.item():.3f}")
    return model.eval()


def tokenizer() -> dict[str, Any]:
    """Return the content of tokenizer.json: a word or a mark is a token, whether written large or small."""
    model = {"type": "WordLevel", "vocab": {word: at for at, word in enumerate(WORDS)}, "unk_token": WORDS[0]}
    empty = dict.fromkeys(("truncation", "padding", "post_processor", "decoder"))
    parts = {"normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"}, "model": model}
    return {"version": "1.0", **empty, "added_tokens": [], **parts}


def write(model: Any, folder: Path) -> None:
    """Write the folder as transformers has it, without what only generating texts takes."""
    with tempfile.TemporaryDirectory() as made:
        model.save_pretrained(made)
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("config.json", "model.safetensors"):
            shutil.copyfile(Path(made) / name, folder / name)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer(), indent=1) + "\n", encoding="utf-8")


@torch.inference_mode()
def probability(model: Any, off: tuple[int, int] | None = None) -> float:
    """Return the probability of the right next word after the prompt, with one head (layer, head) off."""
    tokens = torch.tensor([[WORDS.index(word) for word in PROMPT.split()]])
    size = model.config.head_dim

    def silence(_: nn.Module, given: tuple[Tensor]) -> tuple[Tensor]:
        changed = given[0].clone()
        assert off is not None
        changed[..., off[1] * size : (off[1] + 1) * size] = 0
        return (changed,)

    layers = model.model.layers
    handle = layers[off[0]].self_attn.o_proj.register_forward_pre_hook(silence) if off is not None else None
    try:
        return float(model(input_ids=tokens).logits[0, -1].softmax(-1)[WORDS.index(NEXT)])
    finally:
        if handle is not None:
            handle.remove()


@torch.inference_mode()
def report(model: Any) -> list[str]:
    """Return where each head looks from the last word of the prompt, and what remains of the prediction without it."""
    words = PROMPT.split()
    tokens = torch.tensor([[WORDS.index(word) for word in words]])
    lines = [f'"{PROMPT}" -> "{NEXT}": {probability(model):.3f}']
    for layer, of_layer in enumerate(model(input_ids=tokens, output_attentions=True).attentions):
        for head, row in enumerate(of_layer[0, :, -1]):
            most = int(row.argmax())
            looks = f"place {most} ({words[most]}) with weight {row[most]:.2f}"
            lines.append(f"head {layer + 1}.{head + 1}: {looks}; without it {probability(model, (layer, head)):.3f}")
    return lines


def main(arguments: list[str]) -> None:
    torch.set_num_threads(1)
    model = trained()
    write(model, Path(arguments[0]) if arguments else FOLDER)
    print(*report(model), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
