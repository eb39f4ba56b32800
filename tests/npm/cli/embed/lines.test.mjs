// The contract of embed in a pipe: a record for each line, in order, for lines with any content.
import fc from 'fast-check';
import { expectRefusal, jsonLines, quintet, scratchFolder } from '../../helpers/quintet.mjs';
import { expectVector, jsonLine, model, oneLiners } from '../golden_texts.mjs';
import { growthPerUnit, peakMemory, repeated } from './peak_memory.mjs';

const scratch = scratchFolder();
const embed = (input, ...args) => quintet(['embed', '--model', model, ...args], { input });
const [fox] = oneLiners;

/** The records of a run in which this many lines were bad. */
function recordsOf({ status, stdout, stderr }, bad) {
  const records = jsonLines(stdout);
  expect(stderr).toBe(bad === 0 ? '' : `quintet: ${bad} of ${records.length} lines could not be embedded\n`);
  expect(status).toBe(bad === 0 ? 0 : 1);
  records.forEach(({ index }, i) => expect(index).toBe(i));
  return records;
}

describe('a bad line', () => {
  const good = jsonLine({ id: 'good', text: fox.text });
  const tooMany = 'one two three four five six seven eight nine ten';
  const cases = [
    ['that is not JSON', '{"text": ', 'malformed', /not JSON/],
    ['that is no object', '[1, 2]', 'malformed', /not a JSON object/],
    ['that is null', 'null', 'malformed', /not a JSON object/],
    ['without a text', '{"id": "x"}', 'malformed', /no "text"/, 'x'],
    ['whose text is a number', '{"id": 7, "text": 5}', 'malformed', /no "text"/, 7],
    ['whose id is an object', '{"id": {}, "text": "a"}', 'malformed', /neither a string nor a number as "id"/],
    ['whose id is null', '{"id": null, "text": "a"}', 'malformed', /neither a string nor a number as "id"/],
    ['whose id has more digits than a number', '{"id": 12345678901234567890, "text": "a"}', 'malformed', /exact/],
    ['whose id is 2^53', '{"id": 9007199254740992, "text": "a"}', 'malformed', /exact/],
    ['whose id is a fraction of too many digits', '{"id": 0.1234567890123456789, "text": "a"}', 'malformed', /exact/],
    ['whose id is beyond all numbers', '{"id": 1e999, "text": "a"}', 'malformed', /exact/],
    ['that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'invalid_utf8', /not UTF-8/],
    ['with a byte order mark in the middle of the input', '\ufeff{"text": "a"}', 'malformed', /not JSON/],
    ['that is longer than the limit', Buffer.alloc(2 ** 24 + 1, 'x'), 'limit', /longer than 16777216 bytes/],
    [
      'that the model refuses',
      JSON.stringify({ id: 'long', text: tooMany }),
      'too_long',
      /tokens, 16 are allowed/,
      'long',
    ],
  ];
  // A good line, an empty one and a bad one for each case, and a good one at the end.
  const input = Buffer.concat(
    [...cases.flatMap(([, line]) => [good, '\n', line, '\n']), good].map((part) => Buffer.from(part)),
  );
  let records;
  beforeAll(async () => {
    records = recordsOf(await embed(input, '--max-length', '16', '--truncate', 'error'), cases.length);
  });

  test.each(cases.map(([title, , ...expected], i) => [title, i, ...expected]))(
    '%s has an error record in its place',
    (_, i, reason, message, id = undefined) => {
      const { error, ...place } = records[2 * i + 1];
      const line = 3 * i + 3;
      expect(place).toEqual({ index: 2 * i + 1, line, ...(id === undefined ? {} : { id }) });
      expect(error).toEqual({
        code: 'INPUT',
        reason,
        message: expect.stringMatching(message),
        offset: expect.any(Number),
      });
      expect(error.message.startsWith(`line ${line} `)).toBe(true);
      const before = input.subarray(0, error.offset).toString('latin1').split('\n');
      expect([before.length, before.at(-1)]).toEqual([line, '']);
    },
  );

  test('leaves the lines around it unchanged', () => {
    const others = records.filter((_, i) => i % 2 === 0);
    expect(others).toHaveLength(cases.length + 1);
    others.forEach((record, i) => {
      expect(record).toMatchObject({ id: 'good', line: 3 * i + 1, truncated: false });
      expectVector(record, fox.vector);
    });
  });

  test('of plain text has one, too; empty lines are texts', async () => {
    const lines = Buffer.concat([Buffer.from(`${fox.text}\n\n`), Buffer.from([0xff]), Buffer.from(`\n${fox.text}`)]);
    const plain = recordsOf(await embed(lines), 1);
    expect(plain.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
    expect(plain[1].tokens).toBe(2);
    expect(plain[2].error.reason).toBe('invalid_utf8');
    expectVector(plain[3], fox.vector);
  });

  test('that the model rejects leaves the others of its batch bit for bit unchanged', async () => {
    const lines = Array.from({ length: 200 }, (_, i) => jsonLine({ id: i, text: oneLiners[i % 4].text }));
    const alone = recordsOf(await embed(lines.join('')), 0);
    const poison = jsonLine({ text: 'many words '.repeat(40) });
    const mixed = [...lines.slice(0, 70), poison, ...lines.slice(70)].join('');
    const withPoison = recordsOf(await embed(mixed, '--truncate', 'error', '--max-length', '40'), 1);
    expect(withPoison[70].error.reason).toBe('too_long');
    const bits = ({ id, embedding }) => ({ id, embedding });
    expect(withPoison.toSpliced(70, 1).map(bits)).toEqual(alone.map(bits));
  });

  test('as an argument ends the command', async () => {
    const args = ['--max-length', '4', '--truncate', 'error', 'a', 'one two three four five'];
    expectRefusal(await quintet(['embed', '--model', model, ...args]), /text 1 has \d+ tokens, 4 are allowed/);
  });

  test('does not hide that the model is missing', async () => {
    expectRefusal(
      await quintet(['embed', '--model', scratch('none.weights')], { input: '{"text": \n' }),
      /none\.weights/,
    );
  });
});

describe('ids', () => {
  test('are printed unchanged', async () => {
    const ids = ['0', '-7', '9007199254740991', '1.5', '1e-7', '"a"', '""', '"12345678901234567890"', '"\\u2028"'];
    const records = recordsOf(await embed(ids.map((id) => `{"id": ${id}, "text": "a"}\n`).join('')), 0);
    expect(records.map(({ id }) => id)).toEqual(ids.map((id) => JSON.parse(id)));
  });

  test('and texts are in the fields of --id-field and --text-field', async () => {
    const lines = [
      { doc: 'a', body: fox.text, id: 'other', text: 'other' },
      { doc: 2, body: fox.text },
      { body: fox.text },
      { doc: null, body: 'x' },
      { doc: 'e', text: 'x' },
    ];
    const records = recordsOf(
      await embed(lines.map(jsonLine).join(''), '--id-field', 'doc', '--text-field', 'body'),
      3,
    );
    expect(records.map(({ id }) => id)).toEqual(['a', 2, undefined, undefined, 'e']);
    expectVector(records[0], fox.vector);
    expectVector(records[1], fox.vector);
    expect(records.slice(2).map(({ error }) => error.message)).toEqual([
      'line 3 has no "doc"',
      'line 4 has neither a string nor a number as "doc"',
      'line 5 has no "body"',
    ]);
  });

  test('are not read from Object.prototype', async () => {
    const [record] = recordsOf(await embed('{"text": "a"}', '--id-field', 'constructor'), 1);
    expect(record.error.message).toBe('line 1 has no "constructor"');
  });

  test('that are named must exist, even under the default name', async () => {
    expect(recordsOf(await embed('{"text": "a"}', '--id-field', 'id'), 1)[0].error.message).toMatch(/no "id"/);
  });

  test.each([
    [['--id-field', 'doc', '--lines', 'text'], /JSON lines/],
    [['--text-field', 'id'], /both the id and the text/],
    [['--id-field', 'doc', 'a text'], /--id-field is for lines of stdin/],
  ])('%j is rejected', async (args, pattern) => {
    expectRefusal(await embed('', ...args), pattern);
  });
});

describe('the format of lines', () => {
  const formatOf = async (input, ...args) =>
    jsonLines((await embed(input, ...args)).stdout).map(({ error }) => (error ? 'bad' : 'good'));

  test.each([
    ['a broken JSON object first', '{"text": "a"\n{"text": "b"}\n', ['bad', 'good']],
    ['an empty object first', ' { }\n{"text": "b"}\n', ['bad', 'good']],
    ['text that begins with a brace', '{x} is a set\n{"text": 5}\n', ['good', 'good']],
    ['blank lines before JSON', '\n \n{"text": "a"}\n{"text": 5}\n', ['good', 'bad']],
    ['blank lines alone', '\n\n', ['good', 'good']],
    ['blank lines before text', '\n\nwords\n', ['good', 'good', 'good']],
    ['a byte order mark before JSON', '\ufeff{"text": "a"}\nb\n', ['good', 'bad']],
    ['no line at all', '', []],
  ])('%s', async (_, input, expected) => {
    if (expected.length === 0) expect((await embed(input)).stdout).toBe('');
    else expect(await formatOf(input)).toEqual(expected);
  });

  test('is not decided by a line that is not UTF-8', async () => {
    expect(
      await formatOf(Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from('{"text": "a"}\n{"text": 5}\n')])),
    ).toEqual(['bad', 'good', 'bad']);
  });

  test('is decided as text after very many blank lines', async () => {
    const records = recordsOf(await embed(`${'\n'.repeat(3000)}{"text": 5}\n`), 0);
    expect(records).toHaveLength(3001);
  });

  test('may be given', async () => {
    expect(await formatOf('{"text": "a"\n', '--lines', 'text')).toEqual(['good']);
    expect(await formatOf('words\n', '--lines', 'jsonl')).toEqual(['bad']);
  });
});

test('good and bad lines in any order give one record each, in that order', async () => {
  const id = fc.oneof(fc.string(), fc.maxSafeInteger());
  const good = fc.record({ kind: fc.constant('good'), which: fc.nat(oneLiners.length - 1), id });
  const bad = fc.record({
    kind: fc.constant('bad'),
    line: fc.constantFrom('{', '{"text"', '[]', '7', '"text"', '{"id": "a"}', '{"id": [], "text": "a"}', 'words'),
  });
  const blank = fc.constant({ kind: 'blank', line: '  ' });
  const lines = fc.array(fc.oneof({ weight: 3, arbitrary: good }, bad, blank), {
    minLength: 1,
    maxLength: 400,
    size: 'max',
  });
  const lineOf = ({ kind, which, id, line }) =>
    kind === 'good' ? JSON.stringify({ text: oneLiners[which].text, id }) : line;
  await fc.assert(
    fc.asyncProperty(lines, async (all) => {
      const { stdout } = await embed(
        all.map((one) => `${lineOf(one)}\n`).join(''),
        '--lines',
        'jsonl',
        '--threads',
        '1',
      );
      const expected = all.map((one, i) => ({ ...one, number: i + 1 })).filter(({ kind }) => kind !== 'blank');
      const records = stdout === '' ? [] : jsonLines(stdout);
      expect(records.map(({ index, line, error }) => [index, line, error !== undefined])).toEqual(
        expected.map(({ kind, number }, i) => [i, number, kind === 'bad']),
      );
      expected.forEach(({ kind, id, which }, i) => {
        if (kind !== 'good') return;
        expect(records[i].id).toBe(id);
        expectVector(records[i], oneLiners[which].vector);
      });
    }),
    { numRuns: 6 },
  );
});

describe('memory does not grow', () => {
  const run = (name, blocks) => peakMemory(['embed', '--model', model, '--lines', 'jsonl'], blocks, scratch(name));

  test('by error records', async () => {
    const badLines = '{"text": \n'.repeat(1000);
    const growth = await growthPerUnit([20_000, 60_000, 100_000, 140_000], async (lines) => {
      const bad = await run(`bad-${lines}`, repeated(badLines, lines / 1000));
      expect(bad).toMatchObject({ status: 1, lines });
      return bad;
    });
    // A record of an error is an object with texts: 200 bytes and more.
    expect(growth).toBeLessThan(100);
  });

  test('by a line of 100 MB beyond the part of it that is looked at', async () => {
    const growth = await growthPerUnit([25, 50, 75, 100], async (megabytes) => {
      const longLine = repeated(Buffer.alloc(1 << 20, 'x'), megabytes);
      const long = await run(`line-${megabytes}`, ['{"text": "', ...longLine, '"}\n{"text": "red fox"}\n']);
      expect(long).toMatchObject({ status: 1, lines: 2 });
      return long;
    });
    // If all of the line were kept, the growth would be a whole megabyte for each one.
    expect(growth).toBeLessThan(2 ** 18);
  });
});
