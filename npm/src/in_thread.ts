// Everything that needs the WebAssembly module in its own thread.

export { loadEmbedder } from './embedder_host.js';
export { inspectModel, readModelTensor, validateModel } from './file_functions.js';
