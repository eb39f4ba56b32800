// quintet chat: what is typed, what comes from a pipe, and what a conversation keeps.
import { writeFileSync } from 'node:fs';
import { TextGenerator } from 'quintet';
import { readSafetensors } from 'quintet/safetensors';
import { byteModel } from '../helpers/models/byte_model.mjs';
import { expectRefusal, jsonLines, quintet, scratchFolder, start } from '../helpers/quintet.mjs';

const scratch = scratchFolder();
// It writes what it was told, so that prompts have different lengths.
const template =
  '{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<a>{% endif %}';
const model = scratch('bytes.gguf');
beforeAll(() => writeFileSync(model, byteModel(template)));

const chat = ['chat', '--model', model, '--temp', '0', '--max-tokens', '5'];
const promptOf = (messages) => messages.map(({ role, content }) => `<${role}>${content}`).join('') + '<a>';

/** The library's answers to the same conversation. */
async function answers(questions, system = []) {
  const generator = await TextGenerator.load(model);
  const messages = [...system];
  const told = [];
  for (const content of questions) {
    messages.push({ role: 'user', content });
    const text = await generator.generate(messages, { temperature: 0, maxTokens: 5 }).text();
    told.push({ text, promptTokens: (await generator.tokenize(promptOf(messages), { addBos: false })).length });
    messages.push({ role: 'assistant', content: text });
  }
  generator.close();
  return told;
}

test('each line of a pipe is a message of one conversation, and only what is new is computed', async () => {
  const expected = await answers(['Hello', 'And then?']);
  const { status, stdout } = await quintet([...chat, '--json'], { input: 'Hello\n\nAnd then?\n' });
  const lines = jsonLines(stdout);
  expect(status).toBe(0);
  expect(lines.map(({ text, promptTokens }) => ({ text, promptTokens }))).toEqual(expected);
  expect(lines[0].prefillTokens).toBe(lines[0].promptTokens);
  expect(lines[1].prefillTokens).toBeLessThanOrEqual(lines[1].promptTokens - lines[0].promptTokens + 1);
});

test('answers are text, a line each', async () => {
  const [{ text }] = await answers(['Hi'], [{ role: 'system', content: 'Be brief.' }]);
  const { status, stdout, stderr } = await quintet([...chat, '--system', 'Be brief.', '--speed'], { input: 'Hi\n' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${text}\n` });
  expect(stderr).toMatch(/^5 tokens in .*; prompt \d+ tokens/);
});

test('messages of several lines', async () => {
  const expected = await answers(['one\ntwo', 'three\n\nfour', 'five']);
  const { stdout } = await quintet([...chat, '--json'], { input: 'one\\\ntwo\n"""three\n\nfour"""\n"""five"""\n' });
  expect(jsonLines(stdout).map(({ text, promptTokens }) => ({ text, promptTokens }))).toEqual(expected);
});

test('/reset starts over', async () => {
  const { stdout } = await quintet([...chat, '--json'], { input: 'Hello\n/reset\nHello\n' });
  const [first, second] = jsonLines(stdout);
  expect(second).toMatchObject({ text: first.text, promptTokens: first.promptTokens });
});

test('/save and /load keep the messages and what was computed', async () => {
  const file = scratch('talk.safetensors');
  const expected = await answers(['Hello', 'And then?']);
  const saved = await quintet([...chat, '--json'], { input: `Hello\n/save ${file}\n` });
  expect(saved.stderr).toContain(`saved in ${file}`);
  const { metadata } = await readSafetensors(file);
  expect(JSON.parse(metadata['quintet.messages'])).toEqual([
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: expected[0].text },
  ]);
  for (const [args, input] of [
    [['--load', file], 'And then?\n'],
    [[], `/load ${file}\nAnd then?\n`],
  ]) {
    const [answer] = jsonLines((await quintet([...chat, '--json', ...args], { input })).stdout);
    expect(answer).toMatchObject(expected[1]);
    expect(answer.prefillTokens).toBeLessThanOrEqual(expected[1].promptTokens - expected[0].promptTokens + 1);
  }
});

test('the library opens what /save wrote, and --load what the library saved', async () => {
  const [file, back] = [scratch('cli.safetensors'), scratch('library.safetensors')];
  const expected = await answers(['Hello', 'And then?', 'Why?']);
  await quintet([...chat, '--json'], { input: `Hello\n/save ${file}\n` });
  const generator = await TextGenerator.load(model);
  const opened = await generator.openChat(file, { temperature: 0, maxTokens: 5 });
  expect(await opened.send('And then?').text()).toBe(expected[1].text);
  writeFileSync(back, await opened.save());
  generator.close();
  const [answer] = jsonLines((await quintet([...chat, '--json', '--load', back], { input: 'Why?\n' })).stdout);
  expect(answer).toMatchObject(expected[2]);
  expect(answer.prefillTokens).toBeLessThanOrEqual(expected[2].promptTokens - expected[1].promptTokens + 1);
});

test('/help lists what can be typed, /exit ends', async () => {
  const { status, stdout, stderr } = await quintet(chat, { input: '/help\n/exit\nHello\n' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  for (const name of ['/reset', '/save FILE', '/load FILE', '/speed', '/exit', 'Ctrl-C'])
    expect(stderr).toContain(name);
});

test('Ctrl-C ends the answer and not the program', async () => {
  const child = start(['chat', '--model', model, '--temp', '0', '--speed', '--max-tokens', '6000']);
  const ended = new Promise((resolve) => child.on('close', (status) => resolve(status)));
  child.stdin.write('Hello\n');
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGINT');
  child.stdin.end('/help\n/exit\n');
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  expect(await ended).toBe(0);
  expect(stderr).toContain('/reset');
  expect(stderr).toMatch(/^(?!6000)\d+ tokens? in/m);
});

test('rejected', async () => {
  expectRefusal(await quintet([...chat, '/x'], { input: '' }), /positional|argument/);
  expectRefusal(await quintet(['chat', '--model', '-'], { input: '' }), /stdin is for the messages/);
  expectRefusal(await quintet([...chat, '--template', 'llama-9'], { input: 'Hi\n' }), /llama-9/);
  expectRefusal(await quintet(chat, { input: '/nothing\n' }), /there is no \/nothing; \/help/);
  expectRefusal(await quintet(chat, { input: '/save\n' }), /name of a file/);
  const other = scratch('other.safetensors');
  writeFileSync(other, Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 123, 125]));
  expectRefusal(await quintet([...chat, '--load', other], { input: '' }), /has no conversation/);
});

test('the story model has no conversations, and reports it', async () => {
  expectRefusal(await quintet(['chat'], { input: 'Hi\n' }), /no chat template/);
});
