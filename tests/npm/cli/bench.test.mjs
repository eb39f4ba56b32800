import { fixture, quintet, quintetJson } from './quintet.mjs';

const model = fixture('embd/int8-row.weights');

test('measures every variant that runs here, at the lengths that the model takes', async () => {
  const [{ machine, variants }] = await quintetJson(['bench', '--model', model]);
  expect(machine.node).toBe(process.version);
  expect(variants.map(({ variant }) => variant)[0]).toBe('baseline');
  for (const { loadMs, measurements } of variants) {
    expect(loadMs).toBeGreaterThan(0);
    expect(measurements.map(({ tokens }) => tokens)).toEqual([16, 64]);
    for (const { tokens, ms, tokensPerSecond } of measurements) {
      expect(tokensPerSecond).toBeCloseTo((1000 * tokens) / ms, 6);
    }
  }
});

test('prints a table', async () => {
  const { status, stdout } = await quintet(['bench', '--model', model]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^variant +tokens +ms +tokens\/s\nbaseline +16 +\d+\.\d\d +\d+\n/m);
});
