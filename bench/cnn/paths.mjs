// Where the benchmark finds and keeps things.
import { join, relative, sep } from 'node:path';

import { quintetEntry, REPOSITORY } from '../shared/paths.mjs';

export { quintetEntry };
export const PAGE = 'bench/cnn/hosts/page.html';
export const NODE_CHILD = join(import.meta.dirname, 'hosts/node_child.mjs');
export const TFJS_FILES = join(REPOSITORY, 'bench/node_modules/@tensorflow/tfjs-backend-wasm/dist/');
export const CONVERTER = join(REPOSITORY, 'dist/quintet-files.wasm');
export const MODELS_ROOT = join(REPOSITORY, 'build/bench/cnn');

/** The files of a network: the same weights in every form. */
export function modelFiles(network) {
  const file = (name) => join(MODELS_ROOT, `${network}${name}`);
  return {
    stamp: file('.made-by'),
    safetensors: file('.safetensors'),
    quintet: { fp32: file('-vanilla.bin'), sq8: file('-sq8.bin'), dq8: file('-dq8.bin') },
    onnx: { fp32: file('.onnx'), int8: file('-u8s8.onnx') },
    tfjs: file('-outputs-last.safetensors'),
  };
}

export const pictureFile = (name) => join(MODELS_ROOT, name);

/** The path under which the local server of the Chromium runs offers a file of the repository. */
export function urlPath(file) {
  return `/${relative(REPOSITORY, file).split(sep).join('/')}`;
}
