// Who takes part, and where.
import { openInChromium } from '../shared/hosts/chromium_host.mjs';
import { openInNode } from '../shared/hosts/node_host.mjs';
import { ambFile, ggufFile, NODE_CHILD, PAGE, urlPath } from './paths.mjs';

export const VARIANTS = ['relaxed', 'baseline'];
export const WLLAMA = 'wllama, Chromium';
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

export const quintetName = (variant, environment) => `quintet ${variant}, ${ENVIRONMENTS[environment].name}`;

/** { name, environment, options for Stage.open } of a shape. */
export function contestantsOf(shape) {
  const ours = Object.keys(ENVIRONMENTS).flatMap((environment) =>
    VARIANTS.map((variant) => ({
      name: quintetName(variant, environment),
      environment,
      options: { library: 'quintet', model: ENVIRONMENTS[environment].path(ambFile(shape)), variant },
    })),
  );
  const wllama = { library: 'wllama', model: urlPath(ggufFile(shape)) };
  const native = { library: 'node-llama-cpp', model: ggufFile(shape) };
  return [
    ...ours,
    { name: WLLAMA, environment: 'chromium', options: wllama },
    { name: NATIVE, environment: 'node', options: native },
  ];
}
