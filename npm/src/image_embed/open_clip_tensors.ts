// The tensors of CLIP and SigLIP under the names that transformers gives them, from those that open_clip gives them
// (convert_clip_original_pytorch_to_hf.py of transformers; timm's vision_transformer.py and attention_pool.py). Other
// networks of timm keep timm's names, under `vision_model.`. Any other tensor keeps its name, and is rejected with it.

import type { PlacedTensor } from '../safetensors/assembled.js';

type Renaming = readonly (readonly [RegExp, string])[];

/** Parts of names, in the order of replacement. Models with `custom_text` have the tower of texts in its own module. */
const renaming: Renaming = [
  [/^text\./, ''],
  [/^token_embedding\./, 'text_model.embeddings.token_embedding.'],
  [/^positional_embedding$/, 'text_model.embeddings.position_embedding.weight'],
  [/^ln_final\./, 'text_model.final_layer_norm.'],
  [/^text_projection$/, 'text_projection.weight'],
  [/^transformer\.resblocks\./, 'text_model.encoder.layers.'],
  [/^visual\.class_embedding$/, 'vision_model.embeddings.class_embedding'],
  [/^visual\.conv1\./, 'vision_model.embeddings.patch_embedding.'],
  [/^visual\.positional_embedding$/, 'vision_model.embeddings.position_embedding.weight'],
  [/^visual\.ln_pre\./, 'vision_model.pre_layrnorm.'],
  [/^visual\.ln_post\./, 'vision_model.post_layernorm.'],
  [/^visual\.proj$/, 'visual_projection.weight'],
  [/^visual\.transformer\.resblocks\./, 'vision_model.encoder.layers.'],
  [/\.ln_([12])\./, '.layer_norm$1.'],
  [/\.attn\.out_proj\./, '.self_attn.out_proj.'],
  [/\.mlp\.c_fc\./, '.mlp.fc1.'],
  [/\.mlp\.c_proj\./, '.mlp.fc2.'],
  [/^visual\.trunk\./, 'vision_model.'],
  [/^visual\.head\./, 'vision_model.head.'],
];

/** In front of these, for SigLIP: its tower of pictures is a vision transformer of timm that pools by attention. */
const siglipRenaming: Renaming = [
  [/^text\.text_projection\./, 'text_model.head.'],
  [/^visual\.trunk\.patch_embed\.proj\./, 'vision_model.embeddings.patch_embedding.'],
  [/^visual\.trunk\.pos_embed$/, 'vision_model.embeddings.position_embedding.weight'],
  [/^visual\.trunk\.norm\./, 'vision_model.post_layernorm.'],
  [/^visual\.trunk\.blocks\./, 'vision_model.encoder.layers.'],
  [/\.norm([12])\./, '.layer_norm$1.'],
  [/\.attn\.qkv\./, '.attn.in_proj_'],
  [/\.attn\.proj\./, '.attn.out_proj.'],
  [/^visual\.trunk\.attn_pool\./, 'vision_model.head.'],
  [/\.head\.latent$/, '.head.probe'],
  [/\.head\.q\./, '.head.attention.q_proj.'],
  [/\.head\.proj\./, '.head.attention.out_proj.'],
  [/\.head\.norm\./, '.head.layernorm.'],
];

/** Queries, keys and values are parts of one tensor; projections have a column for each output. */
export function translatedTensors(tensors: readonly PlacedTensor[]): PlacedTensor[] {
  const ofSiglip = tensors.some(({ name }) => name === 'visual.trunk.attn_pool.latent');
  const all = ofSiglip ? [...siglipRenaming, ...renaming] : renaming;
  return tensors.flatMap((tensor) => {
    const name = all.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), tensor.name);
    const { shape } = tensor;
    const [, layer, ofLayer] = /^(.*)\.attn\.in_proj_(weight|bias)$/.exec(name) ?? [];
    if (ofLayer) return splitInto(['q', 'k', 'v'], tensor, (part) => `${layer}.self_attn.${part}_proj.${ofLayer}`);
    const [, ofPool] = /^vision_model\.head\.kv\.(weight|bias)$/.exec(name) ?? [];
    if (ofPool) return splitInto(['k', 'v'], tensor, (part) => `vision_model.head.attention.${part}_proj.${ofPool}`);
    const isProjection = /^(text|visual)_projection\.weight$/.test(name) && shape.length === 2;
    return isProjection ? { ...tensor, name, shape: [shape[1]!, shape[0]!], isTransposed: true } : { ...tensor, name };
  });
}

/** Equal parts of its rows, if there are such. */
function splitInto(parts: readonly string[], tensor: PlacedTensor, nameOf: (part: string) => string): PlacedTensor[] {
  const {
    shape: [rows = 0, ...rest],
    begin,
    end,
  } = tensor;
  if (rows % parts.length !== 0) return [tensor];
  const bytes = (end - begin) / parts.length;
  return parts.map((part, i) => ({
    ...tensor,
    name: nameOf(part),
    shape: [rows / parts.length, ...rest],
    begin: begin + i * bytes,
    end: begin + (i + 1) * bytes,
  }));
}
