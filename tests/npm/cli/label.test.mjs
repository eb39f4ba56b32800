// quintet label and quintet entities: texts, lines in and lines out.
import { TextClassifier, TokenClassifier } from 'quintet';
import { expectRefusal, jsonLines, quintet, quintetJson, scratchFolder } from '../helpers/quintet.mjs';
import { writeLabelFolder } from '../label/label_folders.mjs';

const scratch = scratchFolder();
const model = scratch('moods');
const nli = scratch('nli');
const names = scratch('names');
const texts = ['not a hat', 'it is in the sea, and a tea', 'a'];
let labels;
let entities;

beforeAll(async () => {
  writeLabelFolder(model, 'bert', { labels: ['sad', 'glad', 'neither'] });
  writeLabelFolder(nli, 'bert', { labels: ['entailment', 'neutral', 'contradiction'] });
  writeLabelFolder(names, 'bert', { labels: ['O', 'B-PER', 'I-PER', 'B-LOC'], perToken: true });
  const [classifier, tokens] = [await TextClassifier.load(model), await TokenClassifier.load(names)];
  labels = await classifier.classify(texts);
  entities = await Promise.all(texts.map((text) => tokens.classify(text)));
  classifier.close();
  tokens.close();
});

const lineOf = (index, rest) => ({ index, line: index + 1, text: texts[index], ...rest });

test('label prints a line for each text', async () => {
  const lines = await quintetJson(['label', '--model', model, ...texts]);
  expect(lines).toEqual(texts.map((text, index) => ({ index, text, labels: labels[index] })));
  const [first] = await quintetJson(['label', '--model', model, '-k', '1', texts[0]]);
  expect(first.labels).toEqual(labels[0].slice(0, 1));
});

test('label reads lines of stdin, plain and JSON, and bad ones do not stop it', async () => {
  const plain = await quintetJson(['label', '--model', model], { input: texts.join('\n') });
  expect(plain).toEqual(texts.map((_, index) => lineOf(index, { labels: labels[index] })));
  const input = `{"id": "x", "text": ${JSON.stringify(texts[0])}}\n{}\n{"id": 7, "text": ${JSON.stringify(texts[1])}}\n`;
  const { status, stdout, stderr } = await quintet(['label', '--lines', 'jsonl', '--model', model], { input });
  expect(status).toBe(1);
  const [first, bad, last] = jsonLines(stdout);
  expect(first).toEqual({ ...lineOf(0, { labels: labels[0] }), id: 'x' });
  expect(bad).toMatchObject({ index: 1, line: 2, error: { code: 'INPUT' } });
  expect(last).toMatchObject({ index: 2, line: 3, id: 7, text: texts[1], labels: labels[1] });
  expect(stderr).toContain('1 of 3 lines could not be labeled');
});

test("label with the caller's labels", async () => {
  const [{ labels: own }] = await quintetJson(['label', '--model', nli, '--labels', 'tea, hats', 'the tea']);
  expect(own.map(({ label }) => label).sort()).toEqual(['hats', 'tea']);
  expect(own[0].score + own[1].score).toBeCloseTo(1, 6);
  const options = ['--labels', 'tea,hats', '--template', 'It is {}', '--multi-label'];
  const [{ labels: several }] = await quintetJson(['label', '--model', nli, ...options, 'the tea']);
  expect(several).toHaveLength(2);
  expectRefusal(await quintet(['label', '--model', model, '--labels', 'tea', 'a']), /natural language inference/);
});

test('label reports texts that were cut', async () => {
  const { status, stderr } = await quintet(['label', '--model', model, 'a', 'tea '.repeat(200)]);
  expect(status).toBe(0);
  expect(stderr).toContain('1 of 2 texts were too long and were cut');
});

test('entities prints places, and redacts', async () => {
  const lines = await quintetJson(['entities', '--model', names, ...texts]);
  expect(lines).toEqual(texts.map((text, index) => ({ index, text, entities: entities[index] })));
  expect(entities.flat().length).toBeGreaterThan(2);
  const piped = await quintetJson(['entities', '--model', names], { input: texts.join('\n') });
  expect(piped).toEqual(texts.map((_, index) => lineOf(index, { entities: entities[index] })));
  const { stdout } = await quintet(['entities', '--model', names, '--redact'], { input: texts.join('\n') });
  const redacted = texts.map((text, index) =>
    entities[index].reduceRight(
      (rest, { label, start, end }) => `${rest.slice(0, start)}[${label}]${rest.slice(end)}`,
      text,
    ),
  );
  expect(stdout).toBe(redacted.map((line) => `${line}\n`).join(''));
});

test('rejects mistaken calls', async () => {
  expectRefusal(await quintet(['label', 'a']), /--model is missing/);
  expectRefusal(await quintet(['label', '--model', '-']), /stdin cannot be both/);
  expectRefusal(await quintet(['label', '--model', names, 'a']), /ForSequenceClassification/);
  expectRefusal(await quintet(['entities', '--model', model, 'a']), /ForTokenClassification/);
  expectRefusal(await quintet(['entities', '--model', names, '--aggregation', 'best', 'a']), /--aggregation takes/);
  expectRefusal(await quintet(['entities', '--model', names, '--redact', '--json', 'a']), /cannot be used together/);
});
