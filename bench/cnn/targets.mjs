// What quintet is to reach: ResNet-18 at 224 x 224, one picture at a time, in one thread.
import { onnxRuntimeName, TFJS } from './contestants.mjs';

const atLeast = (value) => ({ text: `>= ${value}`, isMet: (measured) => measured >= value });
const atMost = (value) => ({ text: `<= ${value}`, isMet: (measured) => measured <= value });

const NOT_SLOWER = { [TFJS]: atLeast(1), [onnxRuntimeName('fp32')]: atLeast(1) };

export const TARGETS = {
  /** Speed relative to rivals, by variant, form and rival. */
  speedup: {
    relaxed: {
      fp32: { ...NOT_SLOWER, [TFJS]: atLeast(1.7) },
      sq8: { [onnxRuntimeName('int8')]: atLeast(2) },
    },
    /** On processors without relaxed SIMD, and engines that lack it. */
    baseline: {
      fp32: NOT_SLOWER,
      sq8: { [onnxRuntimeName('int8')]: atLeast(1) },
    },
  },
  /** Largest difference of logits in float32 to a rival's, relative to the largest logit. */
  difference: atMost(1e-3),
  /** Least cosine of logits in int8 to those in float32. */
  cosine: atLeast(0.99),
  /** Logits in static int8 that differ between the variants. */
  unequalLogits: atMost(0),
  /** Wasm memory beyond the weights and three times the largest activation, in MB. */
  megabytesBeyond: atMost(8),
  brotliKilobytes: { wasm: atMost(200), javaScript: atMost(30) },
};
