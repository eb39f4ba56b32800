import { chmod, mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { rolldown } from 'rolldown';
import { mustRun } from '../process.mjs';
import { packagedGlue, packagedGlue64 } from './glue.mjs';
import { convertGlue, decoderGlue, dist, glue, memory64Glue, networkGlue, root, searchKernels } from './paths.mjs';
import { fingerprint, isCurrent, remember } from './stamp.mjs';

// Each group is bundled together, so that what its entries share (the glue, above all) exists once.
const bundles = [
  {
    platform: 'browser',
    // What has SIMD128 has all of ES2022.
    target: ['es2022'],
    entries: {
      index: 'npm/src/index.ts',
      worker: 'npm/src/worker.ts',
      generator_worker: 'npm/src/generator_worker.ts',
      memory64_worker: 'npm/src/memory64_worker.ts',
      classifier_worker: 'npm/src/classifier_worker.ts',
      helper: 'npm/src/helper.ts',
      safetensors: 'npm/src/safetensors.ts',
    },
  },
  {
    platform: 'browser',
    target: ['es2022'],
    entries: { service_worker: 'npm/src/index.ts' },
    threads: 'service_worker',
    // Service workers know no import().
    inOneFile: true,
  },
  {
    platform: 'node',
    target: ['node20'],
    entries: {
      node: 'npm/src/node.ts',
      node_worker: 'npm/src/worker.ts',
      node_generator_worker: 'npm/src/generator_worker.ts',
      node_memory64_worker: 'npm/src/memory64_worker.ts',
      node_classifier_worker: 'npm/src/classifier_worker.ts',
      node_helper: 'npm/src/helper.ts',
      node_safetensors: 'npm/src/safetensors.ts',
      cli: 'npm/src/cli/main.ts',
    },
  },
];

// What nearly every entry needs anyway. Together it compresses far better than in a chunk for each set of entries that
// share something: all of quintet/safetensors; what pages and workers share; what a page has for any model; what drives any
// engine. What starts workers is in no worker's chunks: bundlers would follow it round in a circle.
const sharedChunks = {
  base: ['errors', 'abort', 'byte_source', 'http_source', 'http_ranges', 'source', 'browser_platform', 'call_queue', 'disposable'],
  // Before the others: a chunk takes what its modules import as well.
  both: ['part_loading', 'model_source', 'event_loop', 'features', 'memory_gauge', 'worker_protocol', 'browser_worker', 'browser_parent'],
  page: [
    ...['lazy_parts', 'options', 'checked_arguments', 'capabilities', 'model_folder'],
    ...['backend', 'backend_loading', 'in_thread_loader', 'worker_client', 'worker_start', 'browser_threads', 'helper_team'],
  ],
  engine: [
    ...['engine', 'variant_engine', 'helper_threads', 'browser_helpers', 'wasm_module', 'native', 'native_owner', 'feed', 'sha256', 'host_loading', 'text_window'],
    ...['model_info', 'worker_server'],
  ],
};

const glues = [glue, decoderGlue, memory64Glue, networkGlue, convertGlue];
const sources = ['npm/src', 'tools/build', 'tsconfig.json', 'tsconfig.package.json', 'package-lock.json']
  .map((path) => root + path);

/** Bundles npm/src into dist/ and writes the type declarations. */
export async function buildJavaScript() {
  const inputs = await fingerprint([...sources, ...glues, searchKernels]);
  if (await isCurrent('javascript', inputs, `${dist}index.js`)) return;
  const checked = mustRun('node_modules/.bin/tsc', ['-p', 'tsconfig.json']);
  const declared = mustRun('node_modules/.bin/tsc', ['-p', 'tsconfig.package.json']);
  const written = await Promise.all(bundles.map(bundle));
  await Promise.all([checked, declared]);
  await removeOldChunks(new Set(written.flat()));
  await chmod(`${dist}cli.js`, 0o755);
  await remember('javascript', inputs);
}

/** What the bundler cannot read by itself. */
const loadBinaries = {
  name: 'binaries',
  async load(id) {
    if (id === memory64Glue) return packagedGlue64(await readFile(id, 'utf8'));
    if (glues.includes(id)) return packagedGlue(await readFile(id, 'utf8'));
    if (id !== searchKernels) return null;
    // A character per byte: compressed that is far smaller than base64.
    return { code: `export default ${JSON.stringify(await readFile(id, 'latin1'))}`, moduleType: 'js' };
  },
};

async function bundle({ platform, target, entries, threads = platform, inOneFile = false }) {
  await mkdir(dist, { recursive: true });
  const build = await rolldown({
    cwd: root,
    input: entries,
    platform,
    transform: { target },
    // npm/src/build_modules.d.ts says what these are.
    resolve: {
      alias: {
        'quintet-glue': glue,
        'quintet-decoder-glue': decoderGlue,
        'quintet-memory64-glue': memory64Glue,
        'quintet-network-glue': networkGlue,
        'quintet-convert-glue': convertGlue,
        'quintet-platform': `${root}npm/src/${platform}_platform.ts`,
        'quintet-threads': `${root}npm/src/${threads}_threads.ts`,
        'quintet-helpers': `${root}npm/src/${platform}_helpers.ts`,
        'quintet-parent': `${root}npm/src/${platform}_parent.ts`,
        'quintet-images': `${root}npm/src/${platform}_images.ts`,
        'quintet-search-kernels': searchKernels,
      },
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
    codeSplitting: inOneFile ? false : platform === 'browser' ? { groups } : true,
  });
  await build.close();
  return output.map(({ fileName }) => fileName);
}

const groups = Object.entries(sharedChunks).map(([name, modules]) => ({
  name,
  test: (id) => id.startsWith(`${root}npm/src/`) && modules.includes(basename(id, '.ts')),
}));

// Chunks are named by their content; those of earlier builds would be packed as well.
async function removeOldChunks(written) {
  const scripts = (await readdir(dist)).filter((name) => name.endsWith('.js'));
  await Promise.all(scripts.filter((name) => !written.has(name)).map((name) => rm(dist + name)));
}
