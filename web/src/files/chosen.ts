// A visitor's choice: one model file, the files of a Hugging Face folder, or a model by name or URL.

import type { ModelInput, ModelSource } from 'quintet';

export interface ModelFile {
  name: string;
  source: ModelSource;
}

export interface Chosen {
  name: string;
  /** Absent if it is to be read from the file. */
  bytes?: number;
  /** The files that hold tensors: one, or the shards of a folder. */
  models: ModelFile[];
  /** For `convert`. */
  source: ModelInput;
  /** config.json of a folder. */
  config?: File;
}

const isWeights = ({ name }: File): boolean => /\.safetensors$/i.test(name);

/** @throws Error with a sentence for the visitor */
export function chosenFrom(files: readonly File[]): Chosen {
  const [first, ...others] = files;
  if (!first) throw new Error('There is no file in this folder.');
  if (others.length === 0) return { name: first.name, bytes: first.size, models: [modelFile(first)], source: first };
  const top = files.filter((file) => depthOf(file) <= 1);
  const config = top.find(({ name }) => name === 'config.json');
  if (!config) {
    throw new Error(
      `These are ${files.length} files, and none of them is a config.json. Choose one model file, or all files of a Hugging Face model.`,
    );
  }
  return {
    name: folderOf(config) || 'Hugging Face model',
    bytes: top.reduce((sum, { size }) => sum + size, 0),
    models: top.filter(isWeights).map(modelFile),
    source: Object.fromEntries(top.map((file) => [file.name, file])),
    config,
  };
}

const modelFile = (file: File): ModelFile => ({ name: file.name, source: file });

/** A model by its name on the Hub or by its URL, of which only the beginning is read at first. */
export const chosenByName = (named: { name: string; source: string }): Chosen => ({ ...named, models: [named] });

/** Files of a folder within the folder belong to something else: other formats of the same model, or caches. */
const depthOf = ({ webkitRelativePath }: File): number => webkitRelativePath.split('/').length - 1;

const folderOf = ({ webkitRelativePath }: File): string => webkitRelativePath.split('/').slice(-2, -1)[0] ?? '';
