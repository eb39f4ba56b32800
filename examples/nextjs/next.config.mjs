// Browsers share memory between threads only on pages with these headers.
const headers = [
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },
];

export default {
  // The server reads models and WebAssembly from node_modules.
  serverExternalPackages: ['quintet', 'quintet-models'],
  headers: () => [{ source: '/(.*)', headers }],
};
