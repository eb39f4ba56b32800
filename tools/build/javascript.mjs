import { build } from 'esbuild';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { mustRun } from '../process.mjs';
import { convertGlue, decoderGlue, dist, glue, root, searchKernels } from './paths.mjs';
import { fingerprint, isCurrent, remember } from './stamp.mjs';

// Each group is bundled together, so that what its entries share (the glue, above all) exists once.
const bundles = [
  {
    platform: 'browser',
    // What has SIMD128 has all of ES2022.
    target: ['es2022'],
    entries: { index: 'npm/src/index.ts', worker: 'npm/src/worker.ts', safetensors: 'npm/src/safetensors.ts' },
  },
  {
    platform: 'node',
    target: ['node20'],
    entries: {
      node: 'npm/src/node.ts',
      node_worker: 'npm/src/worker.ts',
      node_safetensors: 'npm/src/safetensors.ts',
      cli: 'npm/src/cli/main.ts',
    },
  },
];

const sources = ['npm/src', 'tools/build', 'tsconfig.json', 'tsconfig.package.json', 'package-lock.json']
  .map((path) => root + path);

/** Bundles npm/src into dist/ and writes the type declarations. */
export async function buildJavaScript() {
  const inputs = await fingerprint([...sources, glue, decoderGlue, convertGlue, searchKernels]);
  if (await isCurrent('javascript', inputs, `${dist}index.js`)) return;
  const checked = mustRun('node_modules/.bin/tsc', ['-p', 'tsconfig.json']);
  const declared = mustRun('node_modules/.bin/tsc', ['-p', 'tsconfig.package.json']);
  const written = await Promise.all(bundles.map(bundle));
  await Promise.all([checked, declared]);
  await removeOldChunks(new Set(written.flat()));
  await chmod(`${dist}cli.js`, 0o755);
  await remember('javascript', inputs);
}

async function bundle({ platform, target, entries }) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: 'dist',
    chunkNames: `${platform}-[hash]`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform,
    target,
    minify: true,
    legalComments: 'none',
    // npm/src/build_modules.d.ts says what these are.
    alias: {
      'quintet-glue': glue,
      'quintet-decoder-glue': decoderGlue,
      'quintet-convert-glue': convertGlue,
      'quintet-platform': `${root}npm/src/${platform}_platform.ts`,
      'quintet-threads': `${root}npm/src/${platform}_threads.ts`,
      'quintet-images': `${root}npm/src/${platform}_images.ts`,
      'quintet-search-kernels': searchKernels,
    },
    loader: { '.wasm': 'base64' },
    // The default models are a package of their own, which need not be installed.
    external: ['quintet-models'],
    metafile: true,
    logLevel: 'warning',
  });
  return Object.keys(metafile.outputs).map((path) => path.replace('dist/', ''));
}

// Chunks are named by their content; those of earlier builds would be packed as well.
async function removeOldChunks(written) {
  const scripts = (await readdir(dist)).filter((name) => name.endsWith('.js'));
  await Promise.all(scripts.filter((name) => !written.has(name)).map((name) => rm(dist + name)));
}
