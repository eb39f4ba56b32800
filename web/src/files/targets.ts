// The conversions and their options: the form offers nothing that `convert` would reject.

import type { ConvertOptions, ModelFormat, Quantization } from 'quintet';

export type Target = ConvertOptions['to'];

/** The kind of the opened source: a file of one of the formats, or a folder in the style of Hugging Face. */
export type SourceKind = ModelFormat | 'folder';

interface Choice<Value> {
  value: Value;
  words: string;
}

export const formatNames: Record<ModelFormat, string> = {
  amb: 'AMB',
  alt: 'ALT',
  weights: '.weights',
  safetensors: 'safetensors',
  tinyruntime: 'tinyRuntime',
  gguf: 'GGUF',
};

export const extensions: Record<Target, string> = {
  amb: '.amb',
  alt: '.alt',
  weights: '.weights',
  safetensors: '.safetensors',
  tinyruntime: '.bin',
};

const targetWords: Record<Target, string> = {
  amb: 'AMB (text generators)',
  alt: 'ALT (text generators)',
  weights: '.weights (sentence embedders)',
  safetensors: 'safetensors',
  tinyruntime: 'tinyRuntime .bin (ResNets)',
};

const targets: Record<SourceKind, Target[]> = {
  amb: ['amb', 'alt', 'safetensors'],
  alt: ['alt', 'amb', 'safetensors'],
  gguf: ['amb', 'alt', 'safetensors'],
  weights: ['weights', 'safetensors'],
  tinyruntime: ['tinyruntime', 'safetensors'],
  safetensors: ['safetensors', 'tinyruntime'],
  folder: ['amb', 'alt', 'weights', 'safetensors', 'tinyruntime'],
};

const quantizationWords: Record<Quantization, string> = {
  none: '32-bit floats',
  f16: '16-bit floats (f16)',
  bf16: '16-bit floats (bf16)',
  int8: '8-bit integers',
  int5: '5-bit integers',
  int4: '4-bit integers',
  int5block: '5-bit integers in blocks',
  int4block: '4-bit integers in blocks',
  adaptive: 'adaptive: as many bits as each block needs',
  'int8-row': '8-bit integers, a scale per row',
  'int8-group': '8-bit integers, a scale per group',
  dq8: '8-bit integers, dynamic activations',
  'dq8-symmetric': '8-bit integers, dynamic activations, symmetric',
  sq8: '8-bit integers, calibrated activations',
};

const quantizations: Record<Target, Quantization[]> = {
  amb: ['none', 'f16', 'bf16', 'int8', 'int5', 'int4', 'int5block', 'int4block', 'adaptive'],
  alt: ['none', 'f16', 'int8', 'int4'],
  weights: ['none', 'f16', 'bf16', 'int8-row', 'int8-group'],
  safetensors: ['none', 'f16', 'bf16'],
  tinyruntime: ['none', 'dq8', 'dq8-symmetric', 'sq8'],
};

const grouped: Record<Target, Quantization[]> = {
  amb: ['int8', 'int5', 'int4', 'int5block', 'int4block', 'adaptive'],
  alt: [],
  weights: ['int8-group'],
  safetensors: [],
  tinyruntime: ['dq8', 'dq8-symmetric'],
};

export const targetsOf = (source: SourceKind): Choice<Target>[] =>
  targets[source].map((value) => ({ value, words: targetWords[value] }));

export const quantizationsOf = (to: Target): Choice<Quantization | ''>[] => [
  { value: '', words: 'as in the source, or as near as possible' },
  ...quantizations[to].map((value) => ({ value, words: quantizationWords[value] })),
];

/** The options other than `quantize` that mean something for it. */
export function applicable(to: Target, quantize: Quantization | '') {
  const hasGroups = quantize !== '' && grouped[to].includes(quantize);
  return {
    groupSize: hasGroups,
    scaleType: hasGroups && to === 'amb',
    bits: quantize === 'adaptive',
    calibration: quantize === 'sq8',
  };
}
