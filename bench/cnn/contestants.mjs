// Who takes part, and where.
import { openInChromium } from '../shared/hosts/chromium_host.mjs';
import { openInNode } from '../shared/hosts/node_host.mjs';
import { modelFiles, NODE_CHILD, PAGE, urlPath } from './paths.mjs';

export const ENVIRONMENTS = {
  node: { name: 'Node 24', path: (file) => file, open: () => openInNode(NODE_CHILD) },
  chromium: { name: 'Chromium', path: urlPath, open: (server) => openInChromium(server, PAGE) },
};

/** quintet's forms of a network: float32, static and dynamic int8. */
export const FORMS = ['fp32', 'sq8', 'dq8'];
export const VARIANTS = ['relaxed', 'baseline'];

export const quintetName = (variant, form) => `quintet ${variant} ${form}`;
export const onnxRuntimeName = (precision) => `onnxruntime-web ${precision}`;
export const TFJS = 'tfjs-backend-wasm fp32';

/** The rivals at the precision of a form. */
export const rivalsOf = (form) => (form === 'fp32' ? [TFJS, onnxRuntimeName('fp32')] : [onnxRuntimeName('int8')]);

/** { name, options for Stage.open } of a network; `forms` of quintet that take part. */
export function contestantsOf(network, environment, { variants = VARIANTS, forms = FORMS } = {}) {
  const { path } = ENVIRONMENTS[environment];
  const files = modelFiles(network);
  const ours = forms.flatMap((form) =>
    variants.map((variant) => ({
      name: quintetName(variant, form),
      options: { library: 'quintet', model: path(files.quintet[form]), variant },
    })),
  );
  const onnxRuntime = ['fp32', 'int8'].map((precision) => ({
    name: onnxRuntimeName(precision),
    options: { library: 'onnxruntime-web', model: path(files.onnx[precision]) },
  }));
  const tfjs = { name: TFJS, options: { library: 'tfjs-backend-wasm', model: path(files.tfjs), network } };
  return [...ours, ...onnxRuntime, tfjs];
}
