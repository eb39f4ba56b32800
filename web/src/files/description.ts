import type { ModelInfo, ModelSource, ReadOptions, TensorInfo } from 'quintet';

import type { Chosen } from './chosen.js';
import { describe } from './model_files.js';
import type { SourceKind } from './targets.js';

export interface FileTensor extends TensorInfo {
  file: ModelSource;
}

/** Facts about the chosen files that are known without reading the weights. */
export interface Description {
  chosen: Chosen;
  format: SourceKind;
  /** One for each file that holds tensors. */
  infos: ModelInfo[];
  tensors: FileTensor[];
  config: Record<string, unknown>;
}

/** A config.json has a few kilobytes. */
const maxConfigBytes = 1e6;

export async function descriptionOf(chosen: Chosen, options: ReadOptions): Promise<Description> {
  const infos: ModelInfo[] = [];
  const tensors: FileTensor[] = [];
  for (const { source: file } of chosen.models) {
    const info = await describe(file, options);
    infos.push(info);
    for (const tensor of info.tensors) tensors.push({ ...tensor, file });
  }
  const format = chosen.config ? 'folder' : (infos[0]!.format as SourceKind);
  const config = chosen.config ? await readConfig(chosen.config) : infos[0]!.config;
  return { chosen, format, infos, tensors, config };
}

/** For display only: `convert` reports its mistakes. */
async function readConfig(file: File): Promise<Record<string, unknown>> {
  try {
    const value: unknown = file.size <= maxConfigBytes ? JSON.parse(await file.text()) : undefined;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
