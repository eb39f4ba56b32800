// Where the benchmark finds and keeps things.
import { join, relative, sep } from 'node:path';

import { NODE_24, quintetEntry, REPOSITORY } from '../shared/paths.mjs';

export { NODE_24, quintetEntry, REPOSITORY };
export const VOCABULARY_FILE = join(REPOSITORY, 'tests/fixtures/tokenizers/minilm/vocab.txt');
export const SENTENCES_FILE = join(import.meta.dirname, 'data/sentences.txt');

const MODELS_ROOT = join(REPOSITORY, 'build/bench/embedder');
export const PAGE = 'bench/embedder/hosts/page.html';
export const NODE_CHILD = join(import.meta.dirname, 'hosts/node_child.mjs');
export const MODEL_NAME = 'random-minilm';
export const MODEL_DIRECTORY = join(MODELS_ROOT, MODEL_NAME);
export const MODEL_FILES = {
  quintet: {
    fp32: join(MODELS_ROOT, 'minilm-fp32.weights'),
    int8: join(MODELS_ROOT, 'minilm-int8.weights'),
  },
  onnx: {
    fp32: join(MODEL_DIRECTORY, 'onnx/model.onnx'),
    int8: join(MODEL_DIRECTORY, 'onnx/model_quantized.onnx'),
  },
};

/** The path under which the local server of the Chromium runs offers a file of the repository. */
export function urlPath(file) {
  return `/${relative(REPOSITORY, file).split(sep).join('/')}`;
}
