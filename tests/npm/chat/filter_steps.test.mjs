// The work of every string filter and method of the template language is at most proportional to the length of the
// text, and it is counted: the steps are those of the interpreter (npm/src/chat/jinja/limits.ts).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const jinja = './npm/src/chat/jinja';

/** The engine from its source, and with how many steps a rendering has taken so far. */
const engine = await (async () => {
  const contents = [
    ...[
      'limits',
      'values',
      'text',
      'compare',
      'evaluator',
      'attributes',
      'library/library',
      'library/choosing_filters',
      'library/rare_parts',
      'library/rare/parts',
    ],
  ].map((name) => `export * from '${jinja}/${name}.ts';`);
  for (const [name, file] of [
    ['textFilters', 'text_filters'],
    ['numberFilters', 'number_filters'],
    ['listFilters', 'list_filters'],
    ['textMethods', 'text_methods'],
  ]) {
    contents.push(`export { ${name} } from '${jinja}/library/${file}.ts';`);
  }
  const withSteps = {
    name: 'steps',
    setup: ({ onLoad }) =>
      onLoad({ filter: /jinja.limits\.ts$/ }, ({ path }) => ({
        contents: `${readFileSync(path, 'utf8')}\nexport const stepsTaken = () => steps;`,
        loader: 'ts',
      })),
  };
  const { outputFiles } = await build({
    stdin: { contents: contents.join('\n'), resolveDir: root, loader: 'ts' },
    ...{
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      plugins: [withSteps],
      logLevel: 'silent',
    },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
})();
const { applyFilter, attribute, concat, invoke, limited, messageText, parts, setRareParts, stepsTaken, text } = engine;
setRareParts(parts);

const length = 40_000;
/** Longer than any of the texts. */
const width = BigInt(2.5 * length);
const run = (unit, size) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
const plain = (unit) => (size) => messageText(run(unit, size));
/** Characters of the template and of a message by turns. */
const mixed = (size) => {
  let whole = [text('ab '), messageText('c- ')];
  while (whole[0].length < size) whole = [concat(whole[0], whole[1]), whole[0]];
  return whole[0].slice(0, size);
};

const runs = {
  ...Object.fromEntries(
    [
      'a',
      'a ',
      'lorem-ipsum dolor ',
      ' ',
      '\n',
      '-',
      'a--',
      '1_',
      '<a>',
      '<!--',
      '&amp;',
      '%s',
      '{}',
      "'",
      '\\',
      'İ',
      'e\u0301',
      '漢',
      '👩\u200d',
      '\ud83d',
    ].map((unit) => [JSON.stringify(unit), plain(unit)]),
  ),
  'of template and message': mixed,
};

/** Arguments where there must be some, or where they choose the slower way. */
const filterArguments = {
  attr: [text('x')],
  batch: [3n],
  center: [width],
  default: [text('x')],
  groupby: [text('x')],
  indent: [4n, true, true],
  join: [text(', ')],
  map: [text('upper')],
  reject: [text('lower')],
  rejectattr: [text('x')],
  replace: [text('a'), text('bb')],
  select: [text('lower')],
  selectattr: [text('x')],
  slice: [1000n],
  sort: [true],
  truncate: [1_000n],
  unique: [true],
  wordwrap: [7n],
};
const methodArguments = {
  center: [width],
  count: [text('a-')],
  endswith: [text('a')],
  find: [text('ab')],
  index: [text('a')],
  join: [[text('x'), text('y')]],
  ljust: [width],
  partition: [text('ab')],
  removeprefix: [text('a')],
  removesuffix: [text('a')],
  replace: [text(''), text('-')],
  rfind: [text('ba')],
  rindex: [text('a')],
  rjust: [width],
  rpartition: [text('ba')],
  rsplit: [text('a')],
  split: [text('a')],
  startswith: [text('a')],
  strip: [text(' a-\n')],
  translate: [engine.Dict.from([[97n, text('bb')]])],
  zfill: [width],
  format_map: [engine.Dict.from([])],
};

const none = new Map();
const jobs = [
  ...[
    ...Object.keys({ ...engine.textFilters, ...engine.numberFilters, ...engine.listFilters, ...parts.filters }),
    'map',
    'select',
    'reject',
    'selectattr',
    'rejectattr',
  ].map((name) => [`the filter ${name}`, (value) => applyFilter(name, value, filterArguments[name] ?? [], none)]),
  ...Object.keys({ ...engine.textMethods, ...parts.methods }).map((name) => [
    `the method ${name}`,
    (value) => invoke(attribute(value, name), methodArguments[name] ?? [], none),
  ]),
  ['%', (value) => parts.percentFormat(value, new engine.Tuple(Array(value.length).fill(text('x'))))],
];

/** Steps and milliseconds of a job. Some texts are refused, after some work; only those of the limits are faults. */
function costOf(job, value) {
  void value.value;
  return limited(() => {
    const before = process.cpuUsage();
    try {
      const result = job(value);
      // Joined texts are put together when they are read.
      if (result instanceof engine.Text) void result.value;
    } catch (error) {
      expect(error).toMatchObject({ name: 'QuintetError', reason: expect.not.stringMatching('limit') });
    }
    const { user } = process.cpuUsage(before);
    return { steps: stepsTaken(), time: user / 1000 };
  });
}

test('no model is missing', () => {
  expect(jobs.length).toBeGreaterThan(80);
  expect(Object.keys(runs).length).toBeGreaterThan(20);
});

// A step takes 0.1 to 3 µs, on a busy machine more. What took the square of the length without counting it would take
// seconds.
const perStep = 0.02;

test.each(jobs)('%s', (_, job) => {
  for (const [name, of] of Object.entries(runs)) {
    const [short, long] = [of(length / 10), of(length)].map((value) => costOf(job, value));
    // Allows for work that does not depend on the length, and for the logarithm of sorting.
    const growth =
      long.steps <= 12 * short.steps + 1000 ? 'in proportion' : `from ${short.steps} to ${long.steps} steps`;
    const time = long.time <= 200 + long.steps * perStep ? 'counted' : `${long.time} ms for ${long.steps} steps`;
    expect([name, growth, time]).toEqual([name, 'in proportion', 'counted']);
  }
});
