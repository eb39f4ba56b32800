// The features of the package, a row each. The build makes the workers from it, and the table of which class accepts
// which option; tests compare the package's exports, the pages whose size is limited, and the documentation with it.

const load = ['format', 'integrity', 'threads', 'variant', 'cache'];

/**
 * `names`: what index.ts exports for it. `folder`: in npm/src. `worker`: the folder of its worker.ts, if not the same;
 * null if it has none. `use`: its name in scripts and in `quintet assets --for`. `module`: what it computes with.
 * `options`: the options that it accepts in addition to those of every call that reads a model (ReadOptions). `page`:
 * what a page does with it, in the words of docs/sizes.md, and the limit of its JavaScript in KB. `parts`: exports of
 * the scripts that only such a page loads.
 */
export const features = [
  {
    names: ['Embedder'],
    folder: 'embed',
    use: 'embedder',
    module: 'embedder',
    options: [...load, 'attentionHeads', 'quantize', 'task', 'vectors'],
    page: { does: 'embeds and searches', scripts: 30.75 },
    parts: ['loadEmbedder', 'loadEmbedderHost'],
  },
  {
    names: ['Reranker'],
    folder: 'rerank',
    use: 'reranker',
    module: 'embedder',
    options: [...load, 'quantize'],
    page: { does: 'ranks passages', scripts: 29 },
    parts: ['loadReranker', 'loadRerankerHost'],
  },
  {
    names: ['TextClassifier', 'TokenClassifier'],
    folder: 'label',
    use: 'labeler',
    module: 'embedder',
    options: [...load, 'quantize'],
    page: { does: 'labels texts or finds entities', scripts: 30.5 },
    parts: ['loadLabeler', 'loadLabelerHost'],
  },
  {
    names: ['TextGenerator'],
    folder: 'generate',
    use: 'generator',
    module: 'generator',
    options: [...load, 'memory64', 'contextLength', 'kvCache', 'quantize'],
    page: { does: 'generates text', scripts: 34.75 },
    parts: ['loadGenerator', 'loadGeneratorHost'],
  },
  {
    names: ['ImageClassifier'],
    folder: 'classify',
    use: 'classifier',
    module: 'classifier',
    options: [...load, 'quantize', 'kind', 'labels', 'inputSize', 'shorterSide', 'mean', 'std'],
    page: { does: 'classifies pictures', scripts: 31.5 },
    parts: ['loadClassifier', 'loadClassifierHost'],
  },
  {
    names: ['ImageEmbedder'],
    folder: 'image_embed',
    use: 'image_embedder',
    module: 'image_embedder',
    options: [...load, 'quantize', 'towers'],
    page: { does: 'finds pictures by words', scripts: 32.5 },
    parts: ['loadImageEmbedder', 'loadImageEmbedderHost'],
  },
  {
    names: ['inspect', 'validate', 'readTensor'],
    folder: 'inspect',
    worker: 'convert',
    use: 'files',
    module: 'files',
    options: [],
    page: { does: 'inspects, validates or reads files', scripts: 29.75 },
    parts: ['readFile', 'startInspectHost', 'startFilesHost'],
  },
  {
    names: ['convert'],
    folder: 'convert',
    use: 'files',
    module: 'files',
    options: ['quantize'],
  },
  {
    names: ['Tokenizer'],
    folder: 'tokenize',
    worker: null,
    use: 'tokenizer',
    module: 'tokenizer',
    options: [],
    page: { does: 'counts tokens (`Tokenizer`)', scripts: 29.25 },
    parts: ['loadTokenizer'],
  },
];

/** The name of a feature's worker script, and the file that it is made from; undefined without a worker. */
export function workerOf({ use, folder, worker = folder }) {
  return worker === null ? undefined : { name: `${use}_worker`, path: `npm/src/${worker}/worker.ts` };
}

/** Scripts of workers, by what they are called in dist/. */
export const workers = {
  ...Object.fromEntries(features.flatMap((row) => workerOf(row) ?? []).map(({ name, path }) => [name, path])),
  memory64_worker: 'npm/src/generate/memory64_worker.ts',
  compute_thread: 'npm/src/engine/threads/compute_thread.ts',
};

/** For each option that only some classes accept, these classes: [the names, for messages; the options]. */
export function optionOwners() {
  const owners = {};
  const accepting = (option) => features.filter(({ options }) => options.includes(option)).flatMap((row) => row.names);
  const models = accepting('format');
  for (const option of new Set(features.flatMap(({ options }) => options))) {
    const all = accepting(option);
    const names = all.length < models.length ? all : ['models', ...all.filter((name) => !models.includes(name))];
    const who = names.join(', ').replace(/, (\w+)$/, ' and $1');
    owners[who] = [...(owners[who] ?? []), option];
  }
  return Object.entries(owners);
}

/** The files of dist/ with which a page for a feature begins, by the feature's name in `quintet assets --for`. */
export function assetUses() {
  const files = (row) => {
    const worker = workerOf(row);
    if (!worker) return [`quintet-${row.module}.wasm`];
    const more = row.folder === 'generate' ? ['memory64_worker.js'] : [];
    return [`${worker.name}.js`, ...more, ...(row.options.includes('threads') ? ['compute_thread.js'] : [])];
  };
  return Object.fromEntries(features.map((row) => [row.use, files(row)]));
}

/** The script of npm/src/platform/browser/threads.ts that starts the workers. Bundlers look for exactly this form. */
export function workersScript() {
  // Webpack merges workers of the same name into one file.
  const start = (name) =>
    `new Worker(new URL('./${name}.js', import.meta.url), { type: 'module', name: 'quintet-${name.replace(/_[a-z]+$/, '')}' })`;
  return `export default {\n${Object.keys(workers)
    .map((name) => `  ${name}: () => ${start(name)},\n`)
    .join('')}};\n`;
}
