// generate, logits and tokenize with text generators.
import { readFileSync, writeFileSync } from 'node:fs';
import { TextGenerator } from 'quintet';
import { distance } from '../helpers/expectations.mjs';
import { runCases, story, tokenizerCases, withGenerator } from '../helpers/generator_fixtures.mjs';
import { parseNpy } from '../helpers/npy_reader.mjs';
import { expectRefusal, fixture, quintet, quintetJson, scratchFolder, start } from '../helpers/quintet.mjs';

const scratch = scratchFolder();
const prompt = 'Once upon a time, there was a little';
const greedy = ['--temp', '0', '--max-tokens', '12'];
const speed =
  /^\d+ tokens in \d+\.\d\d s \([\d.]+ tokens\/s\); prompt \d+ tokens(, \d+ computed)? \([\d.]+ tokens\/s\)\n$/;
const [run] = runCases;
const exact = 1e-3; // of the tolerance's kind: the values went through JSON

let expected;
beforeAll(async () => {
  const generator = await TextGenerator.load(story);
  expected = await generator.generate(prompt, { temperature: 0, maxTokens: 12 }).text();
  generator.close();
});

describe('generate', () => {
  test('prints the text, and the speed on stderr', async () => {
    const { status, stdout, stderr } = await quintet(['generate', '--model', story, '--prompt', prompt, ...greedy]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${expected}\n` });
    expect(stderr).toMatch(speed);
    const promptTokens = await withGenerator(story, {}, (generator) => generator.countTokens(prompt));
    expect(stderr).toMatch(new RegExp(`^12 tokens in .*; prompt ${promptTokens} tokens \\(`));
    const [, tokens, seconds, rate] = /^(\d+) tokens in ([\d.]+) s \(([\d.]+)/.exec(stderr).map(Number);
    // The time is rounded to a hundredth of a second.
    expect(tokens / rate).toBeGreaterThan(seconds - 0.006);
    expect(tokens / rate).toBeLessThan(seconds + 0.006);
  });

  test('--quiet prints the text only', async () => {
    const { stdout, stderr } = await quintet(['generate', '--model', story, '--prompt', prompt, '--quiet', ...greedy]);
    expect({ stdout, stderr }).toEqual({ stdout: `${expected}\n`, stderr: '' });
  });

  test('--temperature is the same as --temp', async () => {
    const args = ['generate', '--model', story, '--prompt', prompt, '--quiet', '-n', '12', '--temperature', '0'];
    expect((await quintet(args)).stdout).toBe(`${expected}\n`);
  });

  test('--draft and --prompt-lookup change only the time', async () => {
    const args = ['generate', '--model', story, '--prompt', prompt, '--quiet', '--temp', '0', '-n', '12'];
    expect((await quintet([...args, '--draft', story, '--prompt-lookup', 'off'])).stdout).toBe(`${expected}\n`);
    const [{ text, guessed }] = await quintetJson([...args, '--draft', story]);
    expect(text).toBe(expected);
    expect(guessed).toBeGreaterThan(0);
    expectRefusal(
      await quintet([...args, '--prompt-lookup', 'never']),
      /--prompt-lookup takes auto, on, off, not 'never'/,
    );
    const other = await quintet([...args, '--draft', fixture('amb/llama-f32.amb')]);
    expect(other.stderr).toMatch(/option 'draft' needs a model with the same tokens/);
  });

  test('-t is the number of threads', async () => {
    const args = ['generate', '--model', story, '--prompt', prompt, ...greedy];
    expect((await quintet([...args, '-t', '1'])).stdout).toBe(`${expected}\n`);
    expectRefusal(
      await quintet([...args, '-t', '0.8']),
      /^quintet: -t is --threads; for the temperature use --temp 0\.8$/m,
    );
    expectRefusal(await quintet([...args, '-t', '0']), /^quintet: -t is --threads; for the temperature use --temp 0$/m);
    expectRefusal(
      await quintet([...args, '-t', 'many']),
      /^quintet: --threads takes auto or a whole number above zero, not 'many'$/m,
    );
  });

  describe('--prompt-file', () => {
    const file = scratch('prompt.txt');
    const args = ['generate', '--model', story, '--quiet', ...greedy];

    test.each([
      ['as it is', prompt],
      ['with a newline at its end', `${prompt}\n`],
      ['with the line end of Windows', `${prompt}\r\n`],
      ['with a byte order mark', `\ufeff${prompt}`],
    ])('%s', async (_, text) => {
      writeFileSync(file, text);
      expect((await quintet([...args, '--prompt-file', file])).stdout).toBe(`${expected}\n`);
      expect((await quintet([...args, '-f', '-'], { input: text })).stdout).toBe(`${expected}\n`);
    });

    test('keeps all other white space', async () => {
      writeFileSync(file, ' a\n\n');
      const [fromFile] = await quintetJson([...args, '-f', file]);
      const [fromOption] = await quintetJson([...args, '-p', ' a\n']);
      expect(fromFile).toMatchObject({ ids: fromOption.ids, promptTokens: fromOption.promptTokens });
    });

    test.each([
      ['that is not there', () => ['-f', scratch('none.txt')], /^quintet: cannot read the prompt .*none\.txt: /],
      ['that is a folder', () => ['-f', scratch('.')], /^quintet: cannot read the prompt .*: EISDIR/],
      ['that is not UTF-8', () => ['-f', written(Uint8Array.of(0x4f, 0x80))], /^quintet: the prompt .* is not UTF-8$/m],
      [
        'that never ends',
        () => ['-f', '/dev/zero'],
        /^quintet: the prompt \/dev\/zero is longer than 16777216 bytes$/m,
      ],
      ['beside --prompt', () => ['-f', file, '-p', 'x'], /--prompt and --prompt-file cannot be used together/],
      [
        'beside the model on stdin',
        () => ['-f', '-', '--model', '-'],
        /only one of the model, the prompt, the cache and the grammar can be stdin/,
      ],
    ])('rejects a file %s', async (_, given, pattern) => expectRefusal(await quintet([...args, ...given()]), pattern));

    test('stdin is checked likewise', async () => {
      expectRefusal(
        await quintet([...args, '-p', '-'], { input: Uint8Array.of(0xff) }),
        /^quintet: the prompt is not UTF-8$/m,
      );
    });

    function written(bytes) {
      writeFileSync(file, bytes);
      return file;
    }
  });

  test('without --model the storyteller of quintet-models writes', async () => {
    const { stdout } = await quintet(['generate', '--prompt', '-', ...greedy], { input: prompt });
    expect(stdout).toBe(`${expected}\n`);
  });

  test('--json reports everything', async () => {
    const args = ['--model', story, '--prompt', prompt, '--stop', 'nothing', '--stop', ' named', '--logprobs', '2'];
    const [answer] = await quintetJson(['generate', ...args, ...greedy]);
    expect(answer.tokensPerSecond).toBeCloseTo((1000 * answer.tokens) / answer.decodeMs, 6);
    expect(answer.prefillTokensPerSecond).toBeCloseTo((1000 * answer.prefillTokens) / answer.prefillMs, 6);
    expect(answer).toMatchObject({ text: expected.slice(0, expected.indexOf(' named')), reason: 'stop' });
    expect(answer.ids).toHaveLength(answer.tokens);
    expect(answer.logprobs.map(({ id }) => id)).toEqual(answer.ids);
    for (const { logprob, top } of answer.logprobs) expect(top[0].logprob).toBeGreaterThanOrEqual(logprob);
  });

  test('the same seed, the same text', async () => {
    const args = ['generate', '--model', story, '--prompt', prompt, '-n', '20', '--temp', '1.2', '--seed', '5'];
    const [one, other] = await Promise.all([quintet(args), quintet([...args, '--kv-cache', 'f32', '--top-k', '40'])]);
    expect(one).toMatchObject({ status: 0, stdout: expect.stringMatching(/\w{2,} \w{2,}/) });
    expect(other.stdout).toBe(one.stdout);
  });

  test('text is printed while it is generated', async () => {
    const child = start(['generate', '--model', story, '--prompt', prompt, '--temp', '0', '-n', '400']);
    let pieces = 0;
    child.stdout.on('data', () => ++pieces);
    await new Promise((resolve) => child.on('close', resolve));
    expect(pieces).toBeGreaterThan(3);
  });

  test('a conversation', async () => {
    const model = fixture('amb/mistral-window.amb');
    const args = ['generate', '--model', model, '--prompt', 'Hello, world!', '--chat', ...greedy];
    expectRefusal(await quintet(args), /chat template/);
    const [plain] = await quintetJson([...args, '--template', 'mistral']);
    const [told] = await quintetJson([...args, '--template', 'mistral', '--system', 'Be brief.']);
    expect(told.promptTokens).toBeGreaterThan(plain.promptTokens);
  });

  describe('with a saved cache', () => {
    const cache = scratch('cache.safetensors');
    const story12 = ['generate', '--model', story, ...greedy];

    test('the text continues, and nothing is computed again', async () => {
      const saved = await quintet([...story12, '--prompt', prompt, '--save-cache', cache]);
      expect(saved).toMatchObject({ status: 0, stdout: `${expected}\n`, stderr: expect.stringMatching(speed) });
      const longer = await quintet(['generate', '--model', story, '--prompt', prompt, '--temp', '0', '-n', '24']);
      const { stdout: rest } = await quintet([...story12, '--load-cache', cache]);
      expect(`${expected}${rest}`).toBe(longer.stdout);
      const [fromStdin] = await quintetJson([...story12, '--load-cache', '-'], { input: readFileSync(cache) });
      expect(`${fromStdin.text}\n`).toBe(rest);
      const [{ prefillTokens, promptTokens }] = await quintetJson([
        ...story12,
        '--load-cache',
        cache,
        '-p',
        ' The end.',
      ]);
      expect(prefillTokens).toBe(promptTokens);
    });

    test('the sampler continues, too', async () => {
      const sampling = ['generate', '--model', story, '--temp', '1.2', '--top-k', '0', '--top-p', '1'];
      const whole = await quintet([...sampling, '--prompt', prompt, '--seed', '4', '-n', '40']);
      const saving = ['--save-cache', cache, '--cache-sampler'];
      const begun = await quintet([...sampling, '--prompt', prompt, '--seed', '4', '-n', '15', ...saving]);
      const rest = await quintet([...sampling, '--load-cache', cache, '--cache-sampler', '-n', '25']);
      expect(whole).toMatchObject({ status: 0, stdout: expect.stringMatching(/\w{2,} \w{2,}/) });
      expect(begun.stdout.slice(0, -1) + rest.stdout).toBe(whole.stdout);
    });

    test('in a smaller form', async () => {
      const sizes = [];
      for (const form of [[], ['--cache-dtype', 'F16'], ['--cache-compression', 'int4', '--cache-group-size', '32']]) {
        await quintet([...story12, '--prompt', prompt, '--save-cache', cache, ...form]);
        sizes.push(readFileSync(cache).length);
        expect((await quintet([...story12, '--load-cache', cache])).status).toBe(0);
      }
      expect(sizes[0]).toBeGreaterThan(1.7 * sizes[1]);
      expect(sizes[1]).toBeGreaterThan(2 * sizes[2]);
    });

    test('of another model is rejected, and the file stays', async () => {
      const file = fixture('safetensors/kv-f32.safetensors');
      const out = scratch('kept.safetensors');
      writeFileSync(out, 'as it was');
      expectRefusal(await quintet([...story12, '--load-cache', file, '--save-cache', out]), /kv|layers|model/);
      expect(readFileSync(out, 'utf8')).toBe('as it was');
    });

    test.each([
      ['--save-cache -', /--save-cache needs a file/],
      ['--cache-dtype F16', /--cache-dtype needs --save-cache/],
      ['--cache-sampler', /--cache-sampler needs --load-cache or --save-cache/],
      ['--cache-tokens 1', /--cache-tokens needs --load-cache/],
      ['--load-cache x --cache-tokens 1,-2', /--cache-tokens takes token ids .*'-2'/],
      ['--load-cache x --cache-tokens 1,2.5', /--cache-tokens takes token ids .*'2\.5'/],
      ['--load-cache x --cache-tokens one', /--cache-tokens takes token ids .*'one'/],
      ['--load-cache x --cache-tokens @missing', /no such file.*missing/],
      ['--save-cache x --cache-dtype F64', /--cache-dtype takes .*'F64'/],
      ['--save-cache x --cache-layout float', /--cache-layout needs --cache-compression int4/],
      ['--save-cache x --cache-compression int4 --cache-group-size 16', /--cache-group-size takes .*'16'/],
      ['--load-cache - --prompt -', /only one of the model, the prompt, the cache and the grammar can be stdin/],
    ])('rejected: %s', async (options, pattern) => {
      expectRefusal(await quintet([...story12, '--prompt', 'x', ...options.split(' ')]), pattern);
    });
  });

  test.each([
    [
      'a file that is none',
      ['--model', fixture('embd/f32.weights'), '--prompt', 'x'],
      /is read by Embedder, not by TextGenerator/,
    ],
    [
      'a model without a tokenizer',
      ['--model', fixture(run.path), '--prompt', 'x'],
      /has no SentencePiece, BPE or WordPiece tokenizer/,
    ],
    ['a prompt that does not fit', ['--model', story, '--context-length', '4', '--prompt', prompt], /context of 4/],
    ['an option outside its meaning', ['--model', story, '--prompt', 'x', '--top-p', '2'], /'topP'/],
  ])('%s: one line and exit status 2', async (_, args, pattern) =>
    expectRefusal(await quintet(['generate', ...args]), pattern),
  );
});

describe('logits', () => {
  const args = ['logits', '--model', fixture(run.path), '--ids', run.ids.join()];

  test('of the last token, and of all', async () => {
    const [last] = await quintetJson(args);
    expect(last.shape).toEqual([run.rows[0].length]);
    expect(distance(last.logits, run.rows.at(-1))).toBeLessThan(exact);
    const [all] = await quintetJson([...args, '--all']);
    expect(all.shape).toEqual([run.ids.length, run.rows[0].length]);
    expect(
      distance(
        all.logits,
        run.rows.flatMap((values) => [...values]),
      ),
    ).toBeLessThan(exact);
  });

  test('as a NumPy file', async () => {
    const out = scratch('logits.npy');
    await quintetJson([...args, '--all', '--out', out]);
    const { shape, values } = parseNpy(readFileSync(out));
    expect(shape).toEqual([run.ids.length, run.rows[0].length]);
    expect(distance(values.subarray(-run.rows[0].length), run.rows.at(-1))).toBeLessThan(exact);
    const { stdoutBytes } = await quintet([...args, '--out', '-']);
    expect(parseNpy(stdoutBytes).shape).toEqual([run.rows[0].length]);
  });
});

describe('tokenize', () => {
  test.each(tokenizerCases.map(({ path, texts }) => [path, texts.find(({ text }) => text.length > 10)]))(
    '%s',
    async (path, { text, ids }) => {
      const [answer] = await quintetJson(['tokenize', '--model', fixture(path), '--', text]);
      expect(answer.ids.slice(-ids.length)).toEqual(ids);
      expect(answer.ids.length - ids.length).toBeLessThanOrEqual(1);
      expect(answer.tokens).toHaveLength(answer.ids.length);
    },
  );
});
