// The bench for each kind of model.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from '../../index.js';
import { defaultModel } from '../models/default_models.js';
import { modelSource } from '../output/sources.js';
import { classifierBench } from './classifier.js';
import { embedderBench } from './embedder.js';
import { generatorBench } from './generator.js';
import type { BenchKind } from './subject.js';

export interface BenchedModel {
  path: string;
  kind: BenchKind;
}

/** Files that do not hold a text generator. Without a tokenizer, safetensors can only be an image network. */
const KINDS: Record<string, BenchKind> = {
  weights: embedderBench,
  tinyruntime: classifierBench,
  safetensors: classifierBench,
};

/** The model at a path, or the three default models. */
export async function benchedModels(path: string | undefined): Promise<BenchedModel[]> {
  if (path !== undefined) return [{ path, kind: await kindOf(path) }];
  return [
    { path: await defaultModel('embedder'), kind: embedderBench },
    { path: await defaultModel('storyteller'), kind: generatorBench },
    { path: await defaultModel('classifier'), kind: classifierBench },
  ];
}

async function kindOf(path: string): Promise<BenchKind> {
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (isFolder) return (await isImageNetwork(path)) ? classifierBench : generatorBench;
  const { format } = await inspect(modelSource(path));
  return KINDS[format] ?? generatorBench;
}

/** timm names one architecture, transformers a list of classes. */
async function isImageNetwork(folder: string): Promise<boolean> {
  const config = await readFile(join(folder, 'config.json'), 'utf8').catch(() => '');
  return /"architecture"\s*:|ForImageClassification/.test(config);
}
