import { chmod, mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { rolldown } from 'rolldown';
import { mustRun } from '../process.mjs';
import { sharedChunks } from './chunks.mjs';
import { packageDeclarations } from './declarations.mjs';
import { packagedGlue, packagedGlue64 } from './glue.mjs';
import {
  classifierGlue,
  dist,
  embedderGlue,
  filesGlue,
  generatorGlue,
  memory64Glue,
  root,
  searchKernels,
  tokenizerGlue,
} from './paths.mjs';
import { fingerprint, isCurrent, remember } from './stamp.mjs';

/** Scripts of workers, by what they are called in dist/. */
const workers = {
  embedder_worker: 'npm/src/embed/worker.ts',
  generator_worker: 'npm/src/generate/worker.ts',
  memory64_worker: 'npm/src/generate/memory64_worker.ts',
  classifier_worker: 'npm/src/classify/worker.ts',
  files_worker: 'npm/src/files/worker.ts',
  compute_thread: 'npm/src/engine/compute_thread.ts',
};
const page = 'npm/src/index.ts';
const safetensors = 'npm/src/safetensors/index.ts';

// Each group is bundled together, so that what its entries share (the glue, above all) exists once. `conditions` choose what
// `#platform/*` is, in package.json.
const bundles = [
  {
    platform: 'browser',
    // What has SIMD128 has all of ES2022.
    target: ['es2022'],
    entries: { index: page, safetensors, ...workers },
    conditions: ['browser'],
    codeSplitting: {
      groups: sharedChunks(`${root}npm/src/`, {
        page: root + page,
        safetensors: root + safetensors,
        workers: Object.values(workers).map((path) => root + path),
      }),
    },
  },
  {
    platform: 'browser',
    target: ['es2022'],
    entries: { service_worker: page },
    conditions: ['service-worker', 'browser'],
    // Service workers know no import().
    codeSplitting: false,
  },
  {
    platform: 'node',
    target: ['node20'],
    entries: {
      node: page,
      node_safetensors: safetensors,
      cli: 'npm/src/cli/main.ts',
      ...Object.fromEntries(Object.entries(workers).map(([name, path]) => [`node_${name}`, path])),
    },
    conditions: ['node'],
    codeSplitting: true,
  },
];

/** What stands for the JavaScript of the wasm modules (npm/src/build_modules.d.ts). */
const glues = {
  'quintet-embedder-glue': embedderGlue,
  'quintet-generator-glue': generatorGlue,
  'quintet-memory64-glue': memory64Glue,
  'quintet-classifier-glue': classifierGlue,
  'quintet-files-glue': filesGlue,
  'quintet-tokenizer-glue': tokenizerGlue,
};
const sources = ['npm/src', 'tools/build', 'package.json', 'tsconfig.json', 'tsconfig.package.json', 'package-lock.json']
  .map((path) => root + path);

/** Bundles npm/src into dist/ and writes the type declarations. */
export async function buildJavaScript() {
  const inputs = await fingerprint([...sources, ...Object.values(glues), searchKernels]);
  if (await isCurrent('javascript', inputs, `${dist}index.js`)) return;
  const checked = mustRun('node_modules/.bin/tsc', ['-p', 'tsconfig.json']);
  const declared = mustRun('node_modules/.bin/tsc', ['-p', 'tsconfig.package.json']);
  const written = await Promise.all(bundles.map(bundle));
  await Promise.all([checked, declared]);
  await packageDeclarations(dist, ['index.d.ts', 'safetensors/index.d.ts'], Object.keys(workers));
  await removeOldChunks(new Set(written.flat()));
  await chmod(`${dist}cli.js`, 0o755);
  await remember('javascript', inputs);
}

/** What the bundler cannot read by itself. */
const loadBinaries = {
  name: 'binaries',
  async load(id) {
    if (id === memory64Glue) return packagedGlue64(await readFile(id, 'utf8'));
    if (Object.values(glues).includes(id)) return packagedGlue(await readFile(id, 'utf8'));
    if (id !== searchKernels) return null;
    // A character per byte: compressed that is far smaller than base64.
    return { code: `export default ${JSON.stringify(await readFile(id, 'latin1'))}`, moduleType: 'js' };
  },
};

async function bundle({ platform, target, entries, conditions, codeSplitting }) {
  await mkdir(dist, { recursive: true });
  const build = await rolldown({
    cwd: root,
    input: entries,
    platform,
    transform: { target },
    resolve: {
      alias: { ...glues, 'quintet-search-kernels': searchKernels },
      conditionNames: conditions,
      extensionAlias: { '.js': ['.ts'] },
    },
    plugins: [loadBinaries],
    // The default models are a package of their own, which need not be installed.
    external: ['quintet-models'],
  });
  const { output } = await build.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${platform}-[hash].js`,
    minify: true,
    comments: { legal: false },
    codeSplitting,
  });
  await build.close();
  return output.map(({ fileName }) => fileName);
}

// Chunks are named by their content; those of earlier builds would be packed as well.
async function removeOldChunks(written) {
  const scripts = (await readdir(dist)).filter((name) => name.endsWith('.js'));
  await Promise.all(scripts.filter((name) => !written.has(name)).map((name) => rm(dist + name)));
}
