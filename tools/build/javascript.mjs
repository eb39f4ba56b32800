import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { rolldown } from 'rolldown';
import { minify } from 'terser';
import { assetUses, optionOwners, workers, workersScript } from '../../npm/features.mjs';
import { mustRun } from '../process.mjs';
import { step } from '../progress.mjs';
import { sharedChunks } from './chunks.mjs';
import { packageDeclarations } from './declarations.mjs';
import { packagedEngineGlue, packagedGlue, packagedGlue64 } from './glue.mjs';
import { engines, glueOf, gluesOf, memory64, searchModulesOf, variantOfThisNode, variants } from './modules.mjs';
import { exportByName } from './namespaces.mjs';
import { dist, root } from './paths.mjs';
import { fingerprint, isCurrent, remember } from './stamp.mjs';

const page = 'npm/src/index.ts';
const safetensors = 'npm/src/safetensors/index.ts';
/**
 * Scripts of a site's search for pages, each in one file: they start or import the worker's script, which has the rest.
 */
const site = { site: 'npm/src/site/index.ts', 'quintet-search': 'npm/src/site/element/index.ts' };
const siteWorker = 'site_worker';
/** Adapters for other programs' protocols and frameworks: for pages, service workers and all kinds of servers. */
const integrations = ['openai', 'ai_sdk', 'langchain'];
const integrationOf = (name) => `integrations/${name}/index`;
/** Parts that few pages load, each of them when it is first needed. */
const rare = ['cache/stored_loading', 'hub/model', 'hub/open', 'bytes/http_download']
  .map((name) => `npm/src/sources/${name}.ts`)
  .concat('npm/src/generate/conversations.ts');
/** Parts that cost less in what every page loads than a request for each. */
const small = ['npm/src/embed/prompts.ts'];

// Every browser with SIMD128 has all of ES2022.
export const forBrowsers = { platform: 'browser', target: ['es2022'], conditions: ['browser'] };

// Each group is bundled together, so that what its entries share (the glue, above all) exists once. `conditions` choose
// what `#platform/*` and `#sources/*` are, in package.json.
const bundles = [
  {
    ...forBrowsers,
    entries: { index: page, safetensors, ...workers },
    // Terser finds more to shorten before names are.
    minify: { compress: true, mangle: false },
    codeSplitting: {
      groups: sharedChunks({
        page: root + page,
        safetensors: root + safetensors,
        workers: Object.values(workers).map((path) => root + path),
        rare: rare.map((path) => root + path),
        small: small.map((path) => root + path),
        generator: `${root}npm/src/generate/engine.ts`,
        templates: `${root}npm/src/chat/chat_templates.ts`,
      }),
    },
  },
  // Searching a site shares nothing with models: what a visitor downloads is bundled by itself.
  { ...forBrowsers, entries: { [siteWorker]: 'npm/src/site/worker/worker.ts' }, codeSplitting: true },
  ...Object.entries(site).map(([name, path]) => ({ ...forBrowsers, entries: { [name]: path }, codeSplitting: false })),
  // They accept models, and contain none of their code.
  ...integrations.map((name) => ({
    ...forBrowsers,
    entries: { [name]: `npm/src/${integrationOf(name)}.ts` },
    codeSplitting: false,
  })),
  {
    ...forBrowsers,
    entries: { service_worker: page },
    conditions: ['service-worker', 'browser'],
    // Service workers do not support import().
    codeSplitting: false,
  },
  {
    platform: 'node',
    target: ['node20'],
    entries: {
      node: page,
      node_safetensors: safetensors,
      node_site: 'npm/src/site/node.ts',
      node_site_vectors_worker: 'npm/src/site/index/vector_worker.ts',
      cli: 'npm/src/cli/main.ts',
      ...Object.fromEntries(Object.entries(workers).map(([name, path]) => [`node_${name}`, path])),
    },
    conditions: ['node'],
    codeSplitting: true,
  },
];

const sources = [
  'npm/src',
  'npm/features.mjs',
  'tools/build',
  'package.json',
  'tsconfig.json',
  'tsconfig.package.json',
  'package-lock.json',
].map((path) => root + path);

/**
 * Bundles npm/src into dist/; `checked` also checks its types and writes their declarations, which takes far longer.
 */
export async function buildJavaScript({ checked = true } = {}) {
  const [variant] = variants;
  const inputs = await inputsOf(variant);
  if (await isCurrent('javascript', inputs, `${dist}index.js`)) return;
  if (!(await isCurrent('bundles', inputs, `${dist}index.js`))) {
    await bundleAll(variant);
    await remember('bundles', inputs);
  }
  if (!checked) return;
  await step('checking the types of the JavaScript', (update) => {
    update();
    return declareTypes();
  });
  await remember('javascript', inputs);
}

async function bundleAll(variant) {
  const written = await Promise.all(bundles.map((each) => bundle(each, variant)));
  await removeOldChunks(new Set(written.flat()));
  await chmod(`${dist}cli.js`, 0o755);
}

async function declareTypes() {
  await Promise.all(
    ['tsconfig.json', 'tsconfig.package.json'].map((path) => mustRun('node_modules/.bin/tsc', ['-p', path])),
  );
  await packageDeclarations(
    dist,
    [
      'index.d.ts',
      'safetensors/index.d.ts',
      'site/node.d.ts',
      'site/element/index.d.ts',
      ...integrations.map((name) => `${integrationOf(name)}.d.ts`),
    ],
    [...Object.keys(workers), siteWorker],
  );
}

/**
 * Bundles what Node loads, and what it copies into the folder of a site's index, with the modules that
 * `buildWasmForThisNode` makes and unchecked: seconds instead of half a minute.
 */
export async function buildJavaScriptForThisNode() {
  const variant = variantOfThisNode();
  const inputs = await inputsOf(variant);
  if (await isCurrent('javascript-node', inputs, `${dist}node.js`)) return;
  const isUsed = ({ platform, entries }) =>
    platform === 'node' || [siteWorker, 'quintet-search'].some((name) => name in entries);
  await Promise.all(bundles.filter(isUsed).map((each) => bundle(each, variant, false)));
  await remember('javascript-node', inputs);
}

const inputsOf = (variant) =>
  fingerprint([
    ...sources,
    ...Object.values(gluesOf(variant)).filter(existsSync),
    ...Object.values(searchModulesOf(variant)),
  ]);

/** Stands where it is imported, so that it gets into the same chunk. */
const workersModule = `${root}npm/src/platform/browser/workers.js`;

/**
 * Modules that the bundler cannot find and read by itself: the glue, the kernels of the search index, and the workers.
 */
function loadModules(variant) {
  const embedded = searchModulesOf(variant);
  const paths = { ...gluesOf(variant), ...embedded, 'quintet-workers': workersModule };
  return {
    name: 'built modules',
    resolveId: (name) => (name === 'quintet-site-worker' ? { id: `./${siteWorker}.js`, external: true } : paths[name]),
    async load(id) {
      if (id === workersModule) return workersScript();
      if (Object.values(embedded).includes(id)) {
        // A character per byte: compressed that is far smaller than base64.
        return { code: `export default ${JSON.stringify(await readFile(id, 'latin1'))}`, moduleType: 'js' };
      }
      if (!Object.values(paths).includes(id)) return null;
      if (!existsSync(id)) return missingModule;
      const glue = await readFile(id, 'utf8');
      if (id === memory64.glue) return packagedGlue64(glue);
      return engines.some((name) => id === glueOf(name, variant)) ? packagedEngineGlue(glue) : packagedGlue(glue);
    },
  };
}

/** Stands for the glue of a module that a build for this Node leaves out. */
const missingModule = 'export default () => { throw new Error("this module is not built yet: run `npm run build`"); };';

/** Makes the bundler read npm/src. */
export const bundling = ({ platform, target, conditions }, variant = variants[0]) => ({
  cwd: root,
  platform,
  // Fields are assigned in constructors, and those without a value are not there at all: smaller, and as declared by
  // the types (tsconfig.json, `useDefineForClassFields`).
  transform: {
    target,
    assumptions: { setPublicClassFields: true },
    typescript: { removeClassFieldsWithoutInitializer: true },
    define: { assetUses: JSON.stringify(assetUses()), optionOwners: JSON.stringify(optionOwners()) },
  },
  resolve: {
    conditionNames: conditions,
    extensionAlias: { '.js': ['.ts'] },
  },
  plugins: [loadModules(variant)],
  // Reports how long plugins take whenever a build is slow.
  checks: { bundlerTimings: false },
  // Packages that need not be installed: the default models, and what some integrations are for.
  external: ['quintet-models', /^@langchain\//],
});

/** Every platform shares these files: Node, which indexes sites, and the pages that search them. */
const isStemmer = (id) => id.includes('/@orama/stemmers/');

/** Without this comment at an import(), webpack and Turbopack look for its file while they build. */
const comments = /webpackIgnore/;

/**
 * After the bundler's own minifier, which folds constants: a fiftieth less to download. Node keeps the names of classes,
 * which console.log shows. Pages would have to download them.
 */
const terser = (isForNode) => ({
  name: 'terser',
  async generateBundle(_, chunks) {
    const compress = { passes: 3, unsafe_arrows: true, sequences: false, keep_fargs: false };
    const options = { module: true, ecma: 2022, keep_classnames: isForNode, compress, format: { comments } };
    for (const chunk of Object.values(chunks).filter(({ moduleIds }) => !moduleIds.every(isStemmer)))
      chunk.code = (await minify(chunk.code, options)).code;
    if (!isForNode) exportByName(chunks);
  },
});

/** `isWhole`: as it is published; else without what takes longest. */
async function bundle({ entries, codeSplitting, minify: minified = true, ...how }, variant, isWhole = true) {
  const { platform } = how;
  await mkdir(dist, { recursive: true });
  const isForNode = platform === 'node';
  const { plugins, ...options } = bundling(how, variant);
  const build = await rolldown({
    ...options,
    plugins: isWhole || !isForNode ? [...plugins, terser(isForNode)] : plugins,
    input: entries,
  });
  const { output } = await build.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: ({ moduleIds }) => `${moduleIds.every(isStemmer) ? 'stemmer' : platform}-[hash:7].js`,
    // Short, and of small letters and digits: names in scripts compress least.
    hashCharacters: 'base36',
    minify: isForNode ? { mangle: { keepNames: { class: true, function: false } } } : minified,
    comments: { legal: false },
    // Nothing asks what kind of object a namespace is.
    generatedCode: { symbols: false },
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
