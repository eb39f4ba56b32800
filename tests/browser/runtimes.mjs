// The runtime of models in each browser, and the features it lacks.

const relaxed = { variant: 'relaxed', kernels: 'relaxed', fallbacks: [] };
const baseline = {
  variant: 'baseline',
  kernels: 'simd128',
  fallbacks: [{ code: 'baseline', message: 'baseline variant: this engine has no relaxed SIMD' }],
};

const browsers = {
  Chromium: { features: { relaxedSimd: true, memory64: true }, fastest: relaxed },
  Firefox: { features: { relaxedSimd: true }, fastest: relaxed },
  // WebKitGTK 2.50 has relaxed SIMD, but it is disabled by default.
  WebKit: { features: { relaxedSimd: false, memory64: false }, fastest: baseline },
};

/** A part of `capabilities()`. */
export const featuresOf = (browser) => browsers[browser].features;

/** `info.runtime` of a model with one thread. */
export const runtimeIn = (browser) => ({ ...browsers[browser].fastest, threads: 1, memory64: false });

/** In `fallbacks` when `threads` is 'auto' and the page is not cross-origin isolated. */
export const notIsolated = {
  code: 'one_thread',
  message: expect.stringMatching(/^one thread: .* cross-origin isolated/),
};
