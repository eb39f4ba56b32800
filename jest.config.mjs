// Plain ES modules: nothing is transformed, `npm test` runs Jest with --experimental-vm-modules.
export default {
  testEnvironment: 'node',
  transform: {},
  roots: ['<rootDir>/tests'],
  testMatch: ['<rootDir>/tests/{npm,browser,package,layering,tools,examples}/**/*.test.mjs'],
  moduleFileExtensions: ['mjs', 'js', 'json'],
  // Only for what hangs: tests wait for events, which on a busy machine may come late.
  testTimeout: 300_000,
  // One more than processors: tests of browsers and processes often wait.
  maxWorkers: 3,
  // Without a summary of all failures: tools/test/jest.mjs prints each once.
  reporters: [['default', { summaryThreshold: Number.MAX_SAFE_INTEGER }]],
};
