// What quintet is to reach: in one thread, at the shape of all-MiniLM-L6-v2.

const atLeast = (value) => ({ text: `>= ${value}`, isMet: (measured) => measured >= value });
const atMost = (value) => ({ text: `<= ${value}`, isMet: (measured) => measured <= value });

export const TARGETS = {
  /** Speed relative to onnxruntime-web at the same precision, by batch. */
  speedup: {
    relaxed: {
      fp32: { '1x64': atLeast(1.5), '1x128': atLeast(1.5), '1x256': atLeast(1.5) },
      int8: {
        '1x16': atLeast(2.5),
        '1x64': atLeast(2.2),
        '1x128': atLeast(2.2),
        '1x256': atLeast(2.2),
      },
    },
    /** On processors without relaxed SIMD, and engines that lack it. */
    baseline: atLeast(1),
  },
  /** Texts per second relative to transformers.js int8 on WebAssembly. */
  sentences: atLeast(4),
  cosine: { fp32: atLeast(0.99999), int8: atLeast(0.99) },
  coldStartMilliseconds: { node: atMost(150), chromium: atMost(250) },
  residentMegabytes: atMost(110),
  /** Wasm memory beyond 1.15 times the model file, in MB. */
  wasmMegabytesBeyondFile: atMost(8),
  gemmShareOfPeak: { fp32: atLeast(0.85), int8: atLeast(0.8) },
  shareOutsideGemms: atMost(0.25),
  searchMilliseconds: { f32: atMost(5), int8: atMost(2) },
  brotliKilobytes: { wasm: atMost(200), javaScript: atMost(30) },
};
