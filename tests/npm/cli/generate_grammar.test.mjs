// `quintet generate` with a grammar, a schema or biases.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { story } from '../helpers/generator_fixtures.mjs';
import { expectRefusal, quintet, quintetJson } from '../helpers/quintet.mjs';

const folder = mkdtempSync(join(tmpdir(), 'quintet-grammar-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const written = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const args = ['generate', '--model', story, '--prompt', 'Once', '--quiet'];

test('--grammar', async () => {
  const file = written('yes.gbnf', 'root ::= "yes" | "no"\n');
  for (const given of [file, '-']) {
    const { stdout } = await quintet([...args, '--grammar', given], { input: 'root ::= "yes" | "no"\n' });
    expect(['yes\n', 'no\n']).toContain(stdout);
  }
});

test('--json-schema', async () => {
  const file = written(
    'schema.json',
    JSON.stringify({ type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 2 }),
  );
  const [{ text, reason }] = await quintetJson([...args, '--json', '--json-schema', file, '--seed', '5']);
  expect(JSON.parse(text)).toEqual([expect.any(Boolean), expect.any(Boolean)]);
  expect(reason).toBe('eos');
});

test('--logit-bias', async () => {
  const greedy = [...args, '--json', '-n', '1', '--temp', '0'];
  const [
    {
      ids: [best],
    },
  ] = await quintetJson(greedy);
  const [
    {
      ids: [other],
    },
  ] = await quintetJson([...greedy, '--logit-bias', `${best}=-Infinity`]);
  expect(other).not.toBe(best);
  const [{ ids }] = await quintetJson([...greedy, '--logit-bias', '7=1e3', '--logit-bias', '8=-2.5']);
  expect(ids).toEqual([7]);
});

test.each([
  [['--grammar', 'a', '--json-schema', 'b'], /--grammar and --json-schema cannot be used together/],
  [['--grammar', join(folder, 'none')], /cannot read the grammar/],
  [['--logit-bias', '7'], /--logit-bias 7: expected a token id and a number/],
  [['--logit-bias', '7=Infinity'], /expected a token id and a number/],
])('%j is rejected', async (more, message) => expectRefusal(await quintet([...args, ...more]), message));

test('a broken file is reported in one line', async () => {
  expectRefusal(await quintet([...args, '--grammar', written('bad.gbnf', 'root = "a"')]), /^quintet: .*expected ::=/m);
  expectRefusal(
    await quintet([...args, '--json-schema', written('bad.json', '{')]),
    /^quintet: the JSON schema is not JSON/m,
  );
  expectRefusal(
    await quintet([...args, '--json-schema', written('contains.json', '{"contains": {}}')]),
    /^quintet: .*the keyword contains at #/m,
  );
});
