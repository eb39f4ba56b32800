// Which bench a model gets.
import { stat } from 'node:fs/promises';
import { inspect } from '../../index.js';
import { defaultClassifier, defaultModel } from '../models/default_models.js';
import { modelSource } from '../output/sources.js';
import { classifierBench } from './classifier.js';
import { embedderBench } from './embedder.js';
import { generatorBench } from './generator.js';
import type { BenchKind } from './subject.js';

export interface BenchedModel {
  path: string;
  kind: BenchKind;
}

/** Formats that do not hold a text generator. */
const KINDS: Record<string, BenchKind> = { weights: embedderBench, tinyruntime: classifierBench };

/** The model at a path, or the three default models. */
export async function benchedModels(path: string | undefined): Promise<BenchedModel[]> {
  if (path !== undefined) return [{ path, kind: await kindOf(path) }];
  return [
    { path: await defaultModel('embedder'), kind: embedderBench },
    { path: await defaultModel('storyteller'), kind: generatorBench },
    { path: (await defaultClassifier()).model, kind: classifierBench },
  ];
}

async function kindOf(path: string): Promise<BenchKind> {
  // Only text generators come as Hugging Face folders.
  const isFolder = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (isFolder) return generatorBench;
  const { format } = await inspect(modelSource(path));
  return KINDS[format] ?? generatorBench;
}
