import { availableParallelism } from 'node:os';
import { expectRefusal, fixture, quintet, quintetJson } from '../helpers/quintet.mjs';

const most = Math.min(availableParallelism(), 64);
const perSecond = (count, ms) => (1000 * count) / ms;

/** Checks what all reports have, and gives the measurements of each engine. */
function measurementsOf({ engines, passed, worstCosine }) {
  expect(passed).toBe(true);
  expect(worstCosine).toBeGreaterThan(0.99);
  for (const { kernels, loadMs, measurements } of engines) {
    expect(kernels).toMatch(/^\w+$/);
    expect(loadMs).toBeGreaterThan(0);
    for (const { ms } of measurements) expect(ms).toBeGreaterThan(0);
  }
  return engines.map(({ measurements }) => measurements);
}

test('measures an embedder at its supported lengths, with every build, in one thread and in all', async () => {
  const [{ machine, models, ...rest }] = await quintetJson(['bench', '--model', fixture('embd/int8-row.weights')]);
  expect(rest).toEqual({});
  expect(machine).toEqual({ node: process.version, processor: expect.any(String) });
  expect(models).toHaveLength(1);
  const [{ kind, engines }] = models;
  expect(kind).toBe('embedder');
  for (const build of new Set(engines.map(({ variant }) => variant))) {
    const counts = engines.filter(({ variant }) => variant === build).map(({ threads }) => threads);
    expect(counts).toEqual(most > 1 ? [1, most] : [1]);
  }
  for (const measurements of measurementsOf(models[0])) {
    expect(measurements.map(({ tokens }) => tokens)).toEqual([16, 64]);
    for (const { tokens, ms, textsPerSecond, tokensPerSecond } of measurements) {
      expect(textsPerSecond).toBeCloseTo(perSecond(1, ms), 6);
      expect(tokensPerSecond).toBeCloseTo(perSecond(tokens, ms), 6);
    }
  }
});

test("without a model measures the three of quintet-models, or only the named engine's", async () => {
  const [{ models }] = await quintetJson(['bench', '-t', '1', '--variant', 'baseline']);
  expect(models.map(({ kind }) => kind)).toEqual(['embedder', 'generator', 'classifier']);
  for (const { engines } of models) {
    expect(engines.map(({ variant, threads }) => ({ variant, threads }))).toEqual([
      { variant: 'baseline', threads: 1 },
    ]);
  }
  const [embedder, generator, classifier] = models.map((model) => measurementsOf(model)[0]);
  expect(embedder.map(({ tokens }) => tokens)).toEqual([16, 64, 128, 256]);
  expect(generator.map(({ task, tokens }) => [task, tokens])).toEqual([
    ['prompt', 128],
    ['generate', 32],
  ]);
  for (const { tokens, ms, tokensPerSecond } of generator)
    expect(tokensPerSecond).toBeCloseTo(perSecond(tokens, ms), 6);
  expect(classifier).toEqual([{ image: '224x224', ms: expect.any(Number), imagesPerSecond: expect.any(Number) }]);
  expect(classifier[0].imagesPerSecond).toBeCloseTo(perSecond(1, classifier[0].ms), 6);
});

test('prints a table', async () => {
  const { status, stdout, stderr } = await quintet(['bench', '--model', fixture('embd/int8-row.weights')]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^int8-row\.weights \(embedder\)$/m);
  expect(stdout).toMatch(
    /^variant +threads +tokens +ms +texts\/s +tokens\/s\nbaseline +1 +16 +\d+\.\d\d +[\d.]+ +[\d.]+\n/m,
  );
  expect(stdout).toMatch(/^cosine of the answers: (1\.000000|0\.99\d{4}) or more$/m);
});

test('a text generator whose context is small', async () => {
  const [{ models }] = await quintetJson(['bench', '-t', '1', '--model', fixture('amb/mistral-window.amb')]);
  expect(models[0].kind).toBe('generator');
  for (const [prompt, generated] of measurementsOf(models[0])) {
    expect(prompt.tokens).toBeLessThanOrEqual(128);
    expect(generated.tokens).toBeGreaterThan(0);
  }
});

test.each([
  ['the model from stdin', ['--model', '-'], /cannot be stdin/],
  ['a file that is no model', ['--model', fixture('images/deep.png')], /not a model file/],
  ['no threads', ['-t', '0'], /--threads takes auto or a whole number above zero, not '0'/],
])('rejects %s', async (_, args, pattern) => expectRefusal(await quintet(['bench', ...args]), pattern));
