// A model thinks for as many tokens as it may, and then answers.
import { TextGenerator } from 'quintet';
import { failureOf } from '../helpers/expectations.mjs';
import { byteModel, idsOf } from '../helpers/models/byte_model.mjs';

const end = 2;
const think = '<think></think>';
const begun = `{{ messages[0].content }}<think>\n{# ${think} #}`;
const unbegun = `{{ messages[0].content }}{# ${think} #}`;
const messages = [{ role: 'user', content: 'x' }];

/** The tokens of the session after the prompt, if the model would choose these tokens one by one. */
async function answered(template, wanted, reasoningBudget, special = []) {
  const model = await TextGenerator.load(byteModel(template, special));
  const session = model.createSession();
  const left = [...wanted, end];
  const logitsProcessor = (logits) => {
    logits.fill(-Infinity);
    logits[left.shift()] = 1;
  };
  const options = { temperature: 0, maxTokens: 1000, logitsProcessor, reasoningBudget };
  const { promptTokens, reasoning } = await session.generate(messages, options).finished;
  const ids = [...session.tokens.slice(promptTokens)];
  model.close();
  return { ids, reasoning };
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
// SentencePiece puts a space before each text.
const space = '\u2581';

test('thoughts that the prompt has begun end after the budget', async () => {
  const { ids, reasoning } = await answered(begun, [...idsOf(letters, [])], 3);
  const forced = [...idsOf(`${space}\n</think>\n\n`, [])];
  expect(ids).toEqual([...idsOf('abc', []), ...forced, ...idsOf(letters.slice(3 + forced.length), [])]);
  expect(reasoning).toBe(`abc${space}`);
});

test('thoughts that the model begins end after the budget, with special tokens', async () => {
  const special = ['<think>', '</think>'];
  const { ids, reasoning } = await answered(unbegun, [...idsOf(`<think>${letters}`, special)], 2, special);
  const forced = [...idsOf(`${space}\n</think>${space}\n\n`, special)];
  expect(ids.slice(0, 3 + forced.length)).toEqual([...idsOf('<think>ab', special), ...forced]);
  expect(reasoning).toBe(`ab${space}`);
});

test.each([
  ['end in time', begun, 'ab</think>cdefghijklmnopq'],
  ['do not begin', unbegun, 'abcdefghijklmnopq'],
])('thoughts that %s are unchanged', async (_, template, answer) => {
  const wanted = [...idsOf(answer, [])];
  expect((await answered(template, wanted, 11)).ids).toEqual(wanted);
});

test('the budget belongs to a conversation', async () => {
  const model = await TextGenerator.load(byteModel(begun));
  const refused = (prompt, reasoningBudget) => failureOf(() => model.generate(prompt, { reasoningBudget }).text());
  expect(await refused('x', 3)).toMatchObject({ code: 'INPUT', reason: 'mismatch' });
  expect(await refused(messages, -1)).toMatchObject({ code: 'INPUT', reason: 'out_of_range' });
  model.close();
});
