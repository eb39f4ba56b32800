// Who takes part, and where.
import { openInChromium } from '../shared/hosts/chromium_host.mjs';
import { openInNode } from '../shared/hosts/node_host.mjs';
import { ggufFile, NODE_CHILD, PAGE, quintetFile, urlPath } from './paths.mjs';
import { CACHE_MODEL, MODELS } from './shapes.mjs';

export const VARIANTS = ['relaxed', 'baseline'];
/** Its answers are those that quintet's are compared with. */
export const WLLAMA = 'wllama 2, Chromium';
export const WLLAMA_3 = 'wllama 3, Chromium';
/** In each phase, quintet is compared with the faster one. */
export const RIVALS = [WLLAMA, WLLAMA_3];
export const NATIVE = 'node-llama-cpp, native';

export const ENVIRONMENTS = {
  node: {
    name: 'Node 24',
    path: (file) => file,
    open: () => openInNode(NODE_CHILD),
  },
  chromium: {
    name: 'Chromium',
    path: urlPath,
    open: (server) => openInChromium(server, PAGE),
  },
};

/** `kind`: the variant, or the type of the KV cache. */
export const quintetName = (kind, environment) => `quintet ${kind}, ${ENVIRONMENTS[environment].name}`;

/** Those that save and restore a KV cache; a rival in pages cannot. */
export function cacheContestants() {
  const contextSize = MODELS[CACHE_MODEL].contextLength;
  const ours = (environment, kvCache) => ({
    name: quintetName(kvCache, environment),
    environment,
    options: { library: 'quintet', model: ENVIRONMENTS[environment].path(quintetFile(CACHE_MODEL)), kvCache },
  });
  const native = { library: 'node-llama-cpp', model: ggufFile(CACHE_MODEL), contextSize };
  return [
    ours('node', 'f32'),
    ours('chromium', 'f32'),
    ours('node', 'f16'),
    { name: NATIVE, environment: 'node', options: native },
  ];
}

/** { name, environment, options for Stage.open } of a shape. */
export function contestantsOf(shape) {
  const ours = Object.keys(ENVIRONMENTS).flatMap((environment) =>
    VARIANTS.map((variant) => ({
      name: quintetName(variant, environment),
      environment,
      options: { library: 'quintet', model: ENVIRONMENTS[environment].path(quintetFile(shape)), variant },
    })),
  );
  const model = urlPath(ggufFile(shape));
  const native = { library: 'node-llama-cpp', model: ggufFile(shape) };
  return [
    ...ours,
    { name: WLLAMA, environment: 'chromium', options: { library: 'wllama', model } },
    // One run takes minutes, so there are only a few.
    { name: WLLAMA_3, environment: 'chromium', options: { library: 'wllama-3', model }, maxRounds: 2 },
    { name: NATIVE, environment: 'node', options: native },
  ];
}
