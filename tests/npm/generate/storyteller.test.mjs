// The bundled story model against the text of llama2.c's own program.
import { readFileSync } from 'node:fs';
import { TextGenerator } from 'quintet';
import { storyteller as file } from '../../../models/index.js';

const expected = readFileSync(new URL('../../fixtures/storyteller/expected_greedy_200.txt', import.meta.url), 'utf8');
const variants = Number(process.versions.node.split('.')[0]) >= 22 ? ['baseline', 'relaxed'] : ['baseline'];

// The program gives 200 tokens after the begin token.
const options = { maxTokens: 200, temperature: 0 };

describe.each(variants)('%s', (variant) => {
  let generator;
  beforeAll(async () => {
    generator = await TextGenerator.load(file, { variant, kvCache: 'f32' });
  });
  afterAll(() => generator.close());

  test('the greedy text', async () => {
    const text = await generator.generate('', options).text();
    expect(`${text}\n`).toBe(expected);
  });

  test('is the same piece by piece, and after a prompt that is its beginning', async () => {
    let text = '';
    for await (const piece of generator.generate('', options)) text += piece.text;
    expect(`${text}\n`).toBe(expected);
    const begin = 'Once upon a time, there was a little girl named Lily.';
    const rest = await generator.generate(begin, { ...options, maxTokens: 60 }).text();
    expect(rest.length).toBeGreaterThan(60);
    expect(expected.startsWith(begin + rest)).toBe(true);
  });

  test('ends by itself at the end of a story', async () => {
    const generation = generator.generate('', { ...options, maxTokens: 500 });
    const text = await generation.text();
    expect(text.trimEnd()).toMatch(/[.!?"]$/);
    expect((await generation.finished).reason).toBe('eos');
  });
});
