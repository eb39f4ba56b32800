// The families of models stand in one place, the tables of src/architectures. Every list in the documentation has just
// these.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path) => readFileSync(root + path, 'utf8');

/** The rows of a table of families: { title, modelType, gguf, declaredAs }, of which a family may lack some. */
function familiesOf(folder) {
  const folderOf = `src/architectures/${folder}/`;
  const sources = readdirSync(root + folderOf).filter((name) => name.endsWith('families.cc'));
  return sources.flatMap((name) => familiesIn(textOf(folderOf + name)));
}

/** The rows of one source file. */
function familiesIn(source) {
  const begin = /k\w*Families\[\] = \{/.exec(source);
  if (begin === null) return [];
  const table = source.slice(begin.index);
  const fields = { title: 'title', modelType: 'model_type', gguf: 'gguf', declaredAs: 'declared_as' };
  // One network under several names: a function makes these rows.
  const made = [...table.matchAll(/^ {4}(\w+)\(((?:"[^"]+"(?:, )?)+)\),$/gm)].map(([, name, args]) => {
    const [modelType, title] = [...args.matchAll(/"([^"]+)"/g)].map(([, text]) => text).reverse();
    return { title: title ?? new RegExp(` ${name}\\([^]*?\\.title = "([^"]+)"`).exec(source)[1], modelType };
  });
  const written = table
    .split(/^ {4}\{/m)
    .slice(1)
    .map((row) => {
      const entries = Object.entries(fields).map(([name, field]) => [
        name,
        new RegExp(`\\.${field} = "([^"]+)"`).exec(row)?.[1],
      ]);
      return Object.fromEntries(entries);
    });
  return [...written, ...made];
}

const decoders = familiesOf('decoder');
const encoders = familiesOf('encoder');

/** The first table of a page, or of a section, whose heading has this cell: its cells, row by row. */
function rowsOf(page, heading, section = '') {
  const text = textOf(page);
  const lines = text.slice(text.indexOf(section)).split('\n');
  const first = lines.findIndex(
    (line) => line.startsWith('|') && line.split('|').some((cell) => cell.trim() === heading),
  );
  const end = lines.findIndex((line, i) => i > first && !line.startsWith('|'));
  return lines.slice(first + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const namesIn = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
const sorted = (names) => [...new Set(names.filter(Boolean))].sort();
/** A model's own `model_type`, where that of its file is another one's. */
const modelTypes = (families) => sorted(families.map(({ modelType, declaredAs }) => declaredAs ?? modelType));
const ggufNames = (families) => sorted(families.map(({ gguf }) => gguf));

test('the tables are read', () => {
  expect(decoders).toContainEqual({ title: 'Qwen3', modelType: 'qwen3', gguf: 'qwen3' });
  expect(encoders).toContainEqual({
    title: 'JinaBERT v2',
    modelType: 'jina_bert',
    gguf: 'jina-bert-v2',
    declaredAs: 'bert',
  });
  expect(encoders).toContainEqual({ title: 'CamemBERT', modelType: 'camembert' });
  expect(encoders).toContainEqual({ title: 'GTE v1.5', modelType: 'gte' });
});

test('README.md counts the families', () => {
  const counted = (page) => Number(new RegExp(`\\[(\\d+) families\\]\\(${page}\\)`).exec(textOf('README.md'))[1]);
  expect(counted('docs/models\\.md#generators')).toBe(sorted(decoders.map(({ title }) => title)).length);
  // model2vec is a table of words, not an encoder.
  expect(counted('docs/embedding\\.md#loading')).toBe(sorted(encoders.map(({ title }) => title)).length + 1);
});

test('docs/models.md has every generator, with its names in files', () => {
  const rows = rowsOf('docs/models.md', '`general.architecture` of a GGUF file');
  expect(sorted(rows.flatMap(([, , gguf]) => namesIn(gguf)))).toEqual(ggufNames(decoders));
  expect(sorted(rows.flatMap(([, , , modelType]) => namesIn(modelType)))).toEqual(modelTypes(decoders));
});

test('docs/embedding.md has every embedder, with its names in files', () => {
  const rows = rowsOf('docs/embedding.md', '`model_type` of config.json');
  const own = [
    'position_embedding_type',
    'alibi',
    'rotary',
    'moe_every_n_layers',
    'use_bidirectional_attention',
    'modules.json',
    'model2vec',
  ];
  expect(sorted(rows.flatMap(([, modelType]) => namesIn(modelType))).filter((name) => !own.includes(name))).toEqual(
    modelTypes(encoders),
  );
  expect(sorted(rows.flatMap(([, , gguf]) => namesIn(gguf)))).toEqual(ggufNames(encoders));
});

test('docs/formats/huggingface.md describes what is computed for each `model_type`', () => {
  const sections = ['### Encoders', '### Decoders', '**Layers that are not attention:**', '**Mixtures of experts.**'];
  const rows = sections.flatMap((section) => rowsOf('docs/formats/huggingface.md', '`model_type`', section));
  expect(sorted(rows.flatMap(([modelType]) => namesIn(modelType)))).toEqual(
    sorted([...modelTypes([...decoders, ...encoders]), 'model2vec']),
  );
});

test.each([
  ['Encoders', encoders],
  ['Decoders', decoders],
])('docs/formats/gguf.md has every architecture of %s', (section, families) => {
  const rows = rowsOf('docs/formats/gguf.md', '`general.architecture`', `## ${section}`);
  expect(sorted(rows.flatMap(([names]) => namesIn(names)))).toEqual(ggufNames(families));
});
