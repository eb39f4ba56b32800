// The tensors of CLIP under the names that transformers gives them, from those that open_clip gives them
// (convert_clip_original_pytorch_to_hf.py of transformers). A tensor of another network keeps its name, and is rejected with it.

import type { PlacedTensor } from '../safetensors/assembled.js';

/** Parts of names, in the order of replacement. */
const parts: readonly (readonly [RegExp, string])[] = [
  // Models with `custom_text` have the tower of texts in its own module.
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
];

const translated = (name: string): string =>
  parts.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), name);

/** Queries, keys and values are the thirds of one tensor; projections have a column for each output. */
export const translatedTensors = (tensors: readonly PlacedTensor[]): PlacedTensor[] =>
  tensors.flatMap((tensor) => {
    const name = translated(tensor.name);
    const { shape } = tensor;
    const [, layer, kind] = /^(.*)\.attn\.in_proj_(weight|bias)$/.exec(name) ?? [];
    if (kind !== undefined && shape[0]! % 3 === 0) {
      return thirdsOf(tensor, (part) => `${layer}.self_attn.${part}_proj.${kind}`);
    }
    const isProjection = /^(text|visual)_projection\.weight$/.test(name) && shape.length === 2;
    return isProjection ? { ...tensor, name, shape: [shape[1]!, shape[0]!], isTransposed: true } : { ...tensor, name };
  });

function thirdsOf(tensor: PlacedTensor, nameOf: (part: string) => string): PlacedTensor[] {
  const { shape, begin, end } = tensor;
  const bytes = (end - begin) / 3;
  return ['q', 'k', 'v'].map((part, i) => ({
    ...tensor,
    name: nameOf(part),
    shape: [shape[0]! / 3, ...shape.slice(1)],
    begin: begin + i * bytes,
    end: begin + (i + 1) * bytes,
  }));
}
