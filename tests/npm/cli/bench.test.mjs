import { availableParallelism } from 'node:os';
import { fixture, quintet, quintetJson } from './quintet.mjs';

const model = fixture('embd/int8-row.weights');

test('measures every variant that runs here, in one thread and in all, at the lengths that the model takes', async () => {
  const [{ machine, engines }] = await quintetJson(['bench', '--model', model]);
  expect(machine.node).toBe(process.version);
  const most = availableParallelism();
  expect(engines.filter(({ variant }) => variant === 'baseline').map(({ threads }) => threads)).toEqual(most > 1 ? [1, most] : [1]);
  for (const { loadMs, measurements } of engines) {
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
  expect(stdout).toMatch(/^variant +threads +tokens +ms +tokens\/s\nbaseline +1 +16 +\d+\.\d\d +\d+\n/m);
});
