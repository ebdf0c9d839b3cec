"""The parts of the model lab's script for an image: the same pixels, as the folder's image processor prepares them."""

LOAD = """\
with open(f"{folder}/config.json", encoding="utf-8") as file:
    made_by = (json.load(file).get("architectures") or ["AutoModel"])[0]
kind = getattr(transformers, made_by, transformers.AutoModel)
model = kind.from_pretrained(
    folder, dtype=dtype, attn_implementation="eager", use_safetensors=True, local_files_only=True
)
model = getattr(model, "vision_model", model).to(device).eval()  # of CLIP and the like, the image side
model.requires_grad_(False)  # or a product of a weight may be computed in another order"""
PREPARED = '''\
def processor_of(config):
    """Return the folder's image processor; without its settings, that of the family by its defaults."""
    if os.path.exists(f"{folder}/preprocessor_config.json"):
        with open(f"{folder}/preprocessor_config.json", encoding="utf-8") as file:
            settings = json.load(file)
    else:
        settings = None
    kinds = {"deit": "DeiT", "dinov2": "Bit", "dinov2_with_registers": "Bit", "beit": "Beit"}
    kinds |= {"data2vec-vision": "Beit", "siglip": "Siglip", "siglip_vision_model": "Siglip"}
    kinds |= dict.fromkeys(("clip", "clip_vision_model", "metaclip_2"), "CLIP")
    name = kinds.get(config.model_type, "ViT")
    kind = getattr(transformers, f"{name}ImageProcessorPil")
    if settings is not None:
        return kind(**settings)
    side = getattr(config, "vision_config", config).image_size
    side = min(side, 224) if name == "Bit" else side
    cut = {"crop_size": {"height": side, "width": side}} if name in ("Bit", "CLIP", "DeiT") else {}
    larger = round(side * 256 / 224) if name == "DeiT" else side
    shorter = {"shortest_edge": side} if name in ("Bit", "CLIP") else {}
    return kind(size=shorter or {"height": larger, "width": larger}, **cut)


def pixels_of(path):
    """Return the pixels of an image file as the model gets them: upright, RGB, on white."""
    picture = Image.open(path)
    if picture.mode.startswith("I"):  # 16 bits of grey
        picture = Image.fromarray((np.asarray(picture, np.int64) >> 8).astype(np.uint8))
    picture = ImageOps.exif_transpose(picture)
    if "A" in picture.getbands() or picture.info.get("transparency") is not None:
        white = Image.new("RGBA", picture.size, (255, 255, 255, 255))
        picture = Image.alpha_composite(white, picture.convert("RGBA"))
    prepared = processor(picture.convert("RGB"), return_tensors="pt")["pixel_values"]
    return prepared.to(device, dtype)


processor = processor_of(transformers.AutoConfig.from_pretrained(folder, local_files_only=True))'''
RUN = """\
with torch.inference_mode():
    result = model(pixels_of(image), output_attentions=True)
weights = torch.cat(result.attentions)"""
PRINT = """\
if getattr(result, "logits", None) is not None:
    shares, classes = result.logits[0].softmax(-1).sort(descending=True)
    for share, number in zip(shares[:10].tolist(), classes[:10].tolist()):
        print(f"{share:.1%}", model.config.id2label[number])"""
