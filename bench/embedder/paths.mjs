// Where the benchmark finds and keeps things. Node runs it with any version that the repository supports; what is
// measured runs in Node 24, which tools/setup installs.
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

export const REPOSITORY = join(import.meta.dirname, '../..');
export const NODE_24 = join(REPOSITORY, 'tools/node/node_modules/node24/bin/node');
export const VOCABULARY_FILE = join(REPOSITORY, 'tests/fixtures/tokenizers/minilm/vocab.txt');
export const SENTENCES_FILE = join(import.meta.dirname, 'data/sentences.txt');

const MODELS_ROOT = join(REPOSITORY, 'build/bench/embedder');
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

/** The built package's entry for Node, as a URL for import(). */
export function quintetEntry() {
  return pathToFileURL(join(REPOSITORY, 'dist/node.js')).href;
}

/** The path under which the local server of the Chromium runs offers a file of the repository. */
export function urlPath(file) {
  return `/${relative(REPOSITORY, file).split(sep).join('/')}`;
}
