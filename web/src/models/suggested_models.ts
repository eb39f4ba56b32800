// Suggested models, by their job. Sizes are those of the files on the Hub.

import type { SuggestedModel } from './model_field.js';

export const embedders: readonly SuggestedModel[] = [
  { name: 'all-MiniLM-L6-v2', source: 'hf:sentence-transformers/all-MiniLM-L6-v2', bytes: 91e6, license: 'Apache 2.0' },
  { name: 'bge-small-en-v1.5', source: 'hf:BAAI/bge-small-en-v1.5', bytes: 133e6, license: 'MIT' },
];

export const rerankers: readonly SuggestedModel[] = [
  {
    name: 'ms-marco-MiniLM-L6-v2',
    source: 'hf:cross-encoder/ms-marco-MiniLM-L6-v2',
    bytes: 91e6,
    license: 'Apache 2.0',
  },
];

export const classifiers: readonly SuggestedModel[] = [
  { name: '525 birds', source: 'hf:chriamue/bird-species-classifier', bytes: 34e6, license: 'MIT' },
  { name: 'MobileNetV3 small', source: 'hf:timm/mobilenetv3_small_100.lamb_in1k', bytes: 10e6, license: 'Apache 2.0' },
];

export const imageEmbedders: readonly SuggestedModel[] = [
  { name: 'CLIP ViT-B/32', source: 'hf:openai/clip-vit-base-patch32', bytes: 605e6, license: 'MIT' },
  { name: 'SigLIP base', source: 'hf:google/siglip-base-patch16-224', bytes: 813e6, license: 'Apache 2.0' },
  { name: 'DINOv2 small, no words', source: 'hf:facebook/dinov2-small', bytes: 88e6, license: 'Apache 2.0' },
];

export const textClassifiers: readonly SuggestedModel[] = [
  {
    name: 'moods (SST-2)',
    source: 'hf:distilbert/distilbert-base-uncased-finetuned-sst-2-english',
    bytes: 268e6,
    license: 'Apache 2.0',
  },
];

export const entityModels: readonly SuggestedModel[] = [
  { name: 'names and places', source: 'hf:dslim/distilbert-NER', bytes: 261e6, license: 'Apache 2.0' },
];
