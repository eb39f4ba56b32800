// Models that are suggested, by what they are for. Sizes are those of the files on the Hub.

import type { SuggestedModel } from './model_field.js';

export const generators: readonly SuggestedModel[] = [
  { name: 'SmolLM2 135M', source: 'hf:HuggingFaceTB/SmolLM2-135M-Instruct', bytes: 271e6, licence: 'Apache 2.0' },
  { name: 'LFM2 350M', source: 'hf:LiquidAI/LFM2-350M-GGUF:Q4_K_M', bytes: 229e6, licence: 'LFM Open License' },
  { name: 'Qwen3 0.6B', source: 'hf:Qwen/Qwen3-0.6B-GGUF:Q8_0', bytes: 639e6, licence: 'Apache 2.0' },
];

export const embedders: readonly SuggestedModel[] = [
  { name: 'all-MiniLM-L6-v2', source: 'hf:sentence-transformers/all-MiniLM-L6-v2', bytes: 91e6, licence: 'Apache 2.0' },
  { name: 'bge-small-en-v1.5', source: 'hf:BAAI/bge-small-en-v1.5', bytes: 133e6, licence: 'MIT' },
];

export const rerankers: readonly SuggestedModel[] = [
  {
    name: 'ms-marco-MiniLM-L6-v2',
    source: 'hf:cross-encoder/ms-marco-MiniLM-L6-v2',
    bytes: 91e6,
    licence: 'Apache 2.0',
  },
];

export const classifiers: readonly SuggestedModel[] = [
  { name: '525 birds', source: 'hf:chriamue/bird-species-classifier', bytes: 34e6, licence: 'MIT' },
  { name: 'MobileNetV3 small', source: 'hf:timm/mobilenetv3_small_100.lamb_in1k', bytes: 10e6, licence: 'Apache 2.0' },
];

export const imageEmbedders: readonly SuggestedModel[] = [
  { name: 'CLIP ViT-B/32', source: 'hf:openai/clip-vit-base-patch32', bytes: 605e6, licence: 'MIT' },
  { name: 'SigLIP base', source: 'hf:google/siglip-base-patch16-224', bytes: 813e6, licence: 'Apache 2.0' },
  { name: 'DINOv2 small, no words', source: 'hf:facebook/dinov2-small', bytes: 88e6, licence: 'Apache 2.0' },
];
