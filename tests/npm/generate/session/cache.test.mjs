// A session's KV cache as a file: the saved content, the loaded content, and that nothing of it is computed again.
import { createHash } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { convert, inspect, TextGenerator } from 'quintet';
import { SafeTensor } from 'safetensors';
import { distance, failureOf } from '../../helpers/expectations.mjs';
import { idsOf, story, threads } from '../../helpers/generator_fixtures.mjs';
import { fixtureFile, fixturePath } from '../../helpers/model_fixtures.mjs';
import { readNpy, row } from '../../helpers/npy_reader.mjs';
import { plainSafetensors, withHeader } from '../../helpers/plain_safetensors.mjs';
import { collect, failingStream, stalling, streamOf } from '../../helpers/streams.mjs';

const folder = 'safetensors/';
const cases = JSON.parse(readFileSync(fixturePath(`${folder}kv_runs.json`), 'utf8'));
const llama = fixturePath('amb/llama-f32.amb');
const [exact] = cases;
const prompt = 'Once upon a time, there was a little';
const greedy = { temperature: 0, maxTokens: 8 };
const isCache = (name) => /^layer_\d+_(key|value)$/.test(name);

/** Runs ids after the content of a session: the logits after them, and the summary. */
async function logitsAfter(session, ids) {
  let logits;
  const { finished } = session.generate(ids, {
    temperature: 0,
    maxTokens: 1,
    logitsProcessor: (seen) => void (logits = seen.slice()),
  });
  const summary = await finished;
  return { logits, summary };
}

/** All that the public interface reveals about a session, including the tokens that would come next. */
async function stateOf(session) {
  const fork = session.fork();
  const { logits } = await logitsAfter(fork, [5, 6]);
  fork.close();
  return { length: session.length, tokens: [...session.tokens], logits: [...logits] };
}

const loadOptions = ({ file, token_ids }) =>
  plainSafetensors(fixtureFile(folder + file)).tensors.has('token_ids') ? undefined : { tokens: token_ids };

// RFC 9562, 5.5: the SHA-1 of the namespace of URLs and the name, with the version and the variant written over it.
test('an ALT file has the UUID of the fingerprint that caches have', async () => {
  const source = fixturePath('amb/mistral-window.amb');
  const model = await TextGenerator.load(source);
  const session = model.createSession();
  await logitsAfter(session, [1, 2]);
  const { metadata } = plainSafetensors(await session.saveCache());
  model.close();
  const hash = createHash('sha1')
    .update(Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex'))
    .update(metadata.fingerprint)
    .digest();
  hash[6] = (hash[6] & 0x0f) | 0x50;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  const uuid = hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const { metadata: general } = await inspect(await collect(convert(source, { to: 'alt' })));
  expect(general.uuid).toBe(uuid);
});

describe.each(threads)('%s', (_, worker) => {
  let generator;
  let teller;
  let session;
  beforeAll(async () => {
    [generator, teller] = await Promise.all([llama, story].map((model) => TextGenerator.load(model, { worker })));
  });
  afterAll(() => {
    generator.close();
    teller.close();
  });
  beforeEach(() => {
    session = generator.createSession();
  });
  afterEach(() => session.close());
  const fileOf = async (ids, options) => {
    const saved = generator.createSession();
    await logitsAfter(saved, ids);
    saved.rewind(ids.length);
    const file = await saved.saveCache(options);
    saved.close();
    return file;
  };

  describe.each(cases)('$file', (kvCase) => {
    const bytes = fixtureFile(folder + kvCase.file);
    const options = loadOptions(kvCase);
    beforeEach(() => session.loadCache(bytes, options));

    test('continues as the reference does, and computes only what is new', async () => {
      expect([session.length, [...session.tokens]]).toEqual([8, kvCase.token_ids]);
      const expected = readNpy(fixturePath(kvCase.logits));
      for (let count = 1; count <= kvCase.continue_ids.length; ++count) {
        const fork = session.fork();
        const { logits, summary } = await logitsAfter(fork, kvCase.continue_ids.slice(0, count));
        expect(distance(logits, row(expected, count - 1))).toBeLessThanOrEqual(kvCase.logits_tolerance);
        expect(summary.prefillTokens).toBe(count);
        fork.close();
      }
      expect(kvCase.greedy_smallest_gap).toBeGreaterThan(2 * kvCase.logits_tolerance);
      const maxTokens = kvCase.greedy.length;
      expect(await idsOf(session.generate(kvCase.continue_ids, { temperature: 0, maxTokens }))).toEqual(kvCase.greedy);
    });

    test('saved again it has the same values, and then the same bytes', async () => {
      const given = plainSafetensors(bytes).tensors;
      const { dtype } = given.get('layer_0_key');
      const saving = { dtype: dtype === 'U8' ? 'F32' : dtype };
      const saved = await session.saveCache(saving);
      const { tensors } = plainSafetensors(saved);
      expect([...tensors.keys()].filter(isCache)).toHaveLength(4);
      if (dtype !== 'U8')
        for (const name of [...given.keys()].filter(isCache)) expect(tensors.get(name)).toEqual(given.get(name));
      const other = generator.createSession();
      await other.loadCache(saved);
      expect(await other.saveCache(saving)).toEqual(saved);
      other.close();
    });
  });

  test.each(cases.filter((kvCase) => kvCase.prefill_tolerance))(
    'what the ids give is what $file holds',
    async (kvCase) => {
      const given = plainSafetensors(fixtureFile(folder + kvCase.file));
      const { dtype } = given.tensors.get('layer_0_key');
      const saved = plainSafetensors(await fileOf(kvCase.token_ids, { dtype }));
      for (const name of [...given.tensors.keys()].filter(isCache)) {
        const tensor = saved.tensors.get(name);
        expect(tensor).toMatchObject({ dtype, shape: [1, 2, 8, 8] });
        expect(distance(tensor.values, given.tensors.get(name).values)).toBeLessThanOrEqual(
          kvCase.prefill_tolerance.abs,
        );
      }
      expect(saved.metadata.token_ids).toBe(kvCase.token_ids.join(','));
      expect(saved.tensors.has('token_ids')).toBe(false);
      const { model: _name, ...facts } = given.metadata;
      expect(saved.metadata).toMatchObject({ ...facts, rope_theta: expect.any(String), model: expect.any(String) });
      expect(saved.metadata.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    },
  );

  test('a plain reader and the package safetensors read what is saved', async () => {
    const file = await fileOf(exact.token_ids);
    const { tensors } = plainSafetensors(file);
    // That package treats every entry of the header as a tensor.
    const independent = new SafeTensor(withHeader(file, ({ __metadata__: _metadata, ...entries }) => entries));
    expect([...independent.metadata.keys()].sort()).toEqual([...tensors.keys()].sort());
    for (const [name, { dtype, shape, bytes }] of tensors) {
      expect(independent.metadata.get(name)).toMatchObject({ dtype, shape });
      expect(Buffer.compare(independent.getTensor(name), bytes)).toBe(0);
    }
  });

  test.each([
    [{ compression: 'INT4' }, { layout: 'packed', group_size: '8', original_dtype: 'float32' }, 'U8', [1, 2, 8, 4]],
    [{ compression: 'INT4', groupSize: 32, dtype: 'F16' }, { layout: 'packed', group_size: '8' }, 'U8', [1, 2, 8, 4]],
    [{ compression: 'INT4', layout: 'float' }, { layout: 'float', group_size: '8' }, 'F32', [1, 2, 8, 8]],
    [{ compression: 'INT4', layout: 'float', dtype: 'BF16' }, { layout: 'float' }, 'BF16', [1, 2, 8, 8]],
  ])('saved with %j', async (options, metadata, dtype, shape) => {
    const saved = plainSafetensors(await fileOf(exact.token_ids, options));
    expect(saved.metadata).toMatchObject({ compression: 'INT4', ...metadata });
    expect(saved.tensors.get('layer_1_value')).toMatchObject({ dtype, shape });
    const exactly = plainSafetensors(await fileOf(exact.token_ids)).tensors;
    for (const name of [...exactly.keys()].filter(isCache)) {
      const { values } = exactly.get(name);
      const { values: stored } = saved.tensors.get(name);
      const scales = saved.tensors.get(`${name}.scale`)?.values;
      const rounded = scales ? values.map((__, i) => nibble(stored, i) * scales[i >> 3]) : stored;
      values.forEach((value, i) => {
        const most = Math.max(...values.slice(i & ~7, (i & ~7) + 8).map(Math.abs));
        // Half a step of INT4, and what the scale and the type round off.
        expect(Math.abs(rounded[i] - value)).toBeLessThanOrEqual(most * (0.5 / 7 + 2 ** -8));
      });
    }
  });

  test('a restored session continues bit for bit', async () => {
    const [first, second] = [teller.createSession(), teller.createSession()];
    await first.generate(prompt, greedy).finished;
    await second.loadCache(await first.saveCache());
    expect([...second.tokens]).toEqual([...first.tokens]);
    const ids = [...(await teller.tokenize(' and a big dog', { addBos: false }))];
    const [expected, restored] = [await logitsAfter(first, ids), await logitsAfter(second, ids)];
    expect(restored.logits).toEqual(expected.logits);
    expect([restored.summary.prefillTokens, expected.summary.prefillTokens]).toEqual([ids.length, ids.length]);
    expect(await second.generate('', { ...greedy, maxTokens: 50 }).text()).toBe(
      await first.generate('', { ...greedy, maxTokens: 50 }).text(),
    );
    for (const each of [first, second]) each.close();
  });

  test('with the sampler, a text continues as if it had never been interrupted', async () => {
    const sampling = { temperature: 1.1, topK: 0, topP: 1, repetitionPenalty: 1.1 };
    const [first, second, third] = [1, 2, 3].map(() => teller.createSession());
    const whole = await idsOf(first.generate(prompt, { ...sampling, seed: 77, maxTokens: 60 }));
    const begun = await idsOf(second.generate(prompt, { ...sampling, seed: 77, maxTokens: 25 }));
    await third.loadCache(await second.saveCache({ sampler: true }), { sampler: true });
    const generation = third.generate('', { ...sampling, maxTokens: 35 });
    expect([...begun, ...(await idsOf(generation))]).toEqual(whole);
    expect((await generation.finished).prefillTokens).toBe(0);
    // A seed of the caller's wins.
    await third.loadCache(await second.saveCache({ sampler: true }), { sampler: true });
    const seeded = () => third.generate('', { ...sampling, seed: 5, maxTokens: 35 });
    const once = await idsOf(seeded());
    third.rewind(second.length);
    expect(await idsOf(seeded())).toEqual(once);
    expect([...begun, ...once]).not.toEqual(whole);
    for (const each of [first, second, third]) each.close();
  });

  test('a generation reports the number of tokens it computed first', async () => {
    const telling = teller.createSession();
    const promptTokens = (await teller.tokenize(prompt)).length;
    expect(await telling.generate(prompt, greedy).finished).toMatchObject({
      promptTokens,
      prefillTokens: promptTokens,
    });
    await telling.logits();
    expect(await telling.generate('', greedy).finished).toMatchObject({ promptTokens: 0, prefillTokens: 0 });
    telling.close();
    const again = () => teller.generate(prompt, { ...greedy, maxTokens: 1 }).finished;
    await again();
    expect((await again()).prefillTokens).toBeLessThan(promptTokens);
  });

  test('the same file from every kind of source', async () => {
    const name = fixturePath(folder + exact.file);
    const bytes = fixtureFile(folder + exact.file);
    const sources = [
      bytes,
      bytes.buffer,
      Buffer.concat([Buffer.alloc(3), bytes, Buffer.alloc(5)]).subarray(3, 3 + bytes.length),
      new Blob([bytes]),
      new Response(bytes),
      streamOf(bytes, 7),
      streamOf(bytes, 1000),
      (async function* pieces() {
        for (let at = 0; at < bytes.length; at += 311) yield bytes.subarray(at, at + 311);
      })(),
      name,
      pathToFileURL(name),
      pathToFileURL(name).href,
    ];
    for (const source of sources) {
      session.rewind(0);
      await session.loadCache(source);
      expect([...session.tokens]).toEqual(exact.token_ids);
    }
    expect(bytes).toEqual(fixtureFile(folder + exact.file));
  });

  test('calls keep their order', async () => {
    const bytes = fixtureFile(folder + exact.file);
    const running = session.generate([1, 2, 3], { temperature: 0, maxTokens: 1 }).finished;
    const before = session.saveCache();
    const loading = session.loadCache(bytes);
    session.rewind(5);
    const after = session.saveCache();
    await Promise.all([running, loading]);
    const ids = (file) => plainSafetensors(file).metadata.token_ids.split(',').map(Number);
    expect(ids(await before).slice(0, 3)).toEqual([1, 2, 3]);
    expect(ids(await after)).toEqual(exact.token_ids.slice(0, 5));
  });

  test('leaving a generation does not cut the cache that was loaded since', async () => {
    const generation = session.generate([1, 2, 3], { temperature: 0, maxTokens: 4 });
    await generation.finished;
    await session.loadCache(fixtureFile(folder + exact.file));
    for await (const __ of generation) break;
    expect([...session.tokens]).toEqual(exact.token_ids);
    expect((await session.logits()).length).toBeGreaterThan(0);
  });

  describe('a file that is rejected leaves the session as it was', () => {
    const bytes = fixtureFile(folder + exact.file);
    const edited = (edit) => () => withHeader(bytes, edit);
    const notFinite = () => {
      const file = bytes.slice();
      const { bytes: values } = plainSafetensors(file).tensors.get('layer_1_value');
      new DataView(values.buffer, values.byteOffset).setFloat32(8, NaN, true);
      return file;
    };
    test.each([
      ['empty', () => new Uint8Array(), { code: 'FORMAT' }],
      ['cut in the header', () => bytes.subarray(0, 40), { code: 'FORMAT' }],
      ['cut in the data', () => bytes.subarray(0, -1), { code: 'FORMAT' }],
      ['with bytes behind it', () => Buffer.concat([bytes, Buffer.alloc(8)]), { code: 'FORMAT' }],
      ['not finite', notFinite, { code: 'FORMAT', tensor: 'layer_1_value' }],
      ['of another model', () => fixtureFile(`${folder}wide-f32.safetensors`), { code: 'FORMAT', reason: 'mismatch' }],
      [
        'with a fingerprint of another model',
        edited((header) => void (header.__metadata__.fingerprint = '0123456789abcdef')),
        { code: 'FORMAT', reason: 'mismatch' },
      ],
      ['of tensors', () => fixtureFile(`${folder}unsorted.safetensors`), { code: 'FORMAT' }],
      ['without ids', edited((header) => void delete header.layer_1_key), { code: 'FORMAT' }],
      ['no file', () => fixturePath('none.safetensors'), { code: 'IO', reason: 'not_found' }],
      ['no source', () => 7, { code: 'INPUT', reason: 'wrong_type' }],
      ['a source that fails', () => failingStream(bytes), { code: 'IO', reason: 'read_failed' }],
    ])('%s', async (__, source, error) => {
      const { finished } = session.generate([3, 1, 4, 1, 5], { temperature: 0, maxTokens: 2 });
      await finished;
      const before = await stateOf(session);
      const { tokens } = session;
      expect(await failureOf(session.loadCache(source(), {}))).toMatchObject(error);
      expect([...session.tokens]).toEqual([...tokens]);
      expect(await stateOf(session)).toEqual(before);
    });

    test('ids that are missing, too few, or others', async () => {
      await session.generate([3, 1, 4], { temperature: 0, maxTokens: 1 }).finished;
      const before = await stateOf(session);
      const bare = fixtureFile(`${folder}kv-bare.safetensors`);
      const ids = exact.token_ids;
      for (const [file, options] of [
        [bare, {}],
        [bare, { tokens: ids.slice(1) }],
        [bare, { tokens: [...ids.slice(1), 1e6] }],
        [bytes, { tokens: [...ids.slice(1), 1] }],
        [bytes, { sampler: true }],
      ]) {
        expect(await failureOf(session.loadCache(file, options))).toMatchObject({ code: 'INPUT' });
        expect(await stateOf(session)).toEqual(before);
      }
    });
  });

  test('an abort ends a load whose source hangs, and closes the source', async () => {
    await session.generate([3, 1, 4], { temperature: 0, maxTokens: 1 }).finished;
    const before = await stateOf(session);
    const controller = new AbortController();
    const reason = new Error('never mind');
    const { source, asked, cancelled } = stalling(fixtureFile(folder + exact.file));
    const loading = failureOf(session.loadCache(source, { signal: controller.signal }));
    await asked;
    controller.abort(reason);
    expect(await loading).toMatchObject({ code: 'ABORTED', cause: reason });
    await cancelled;
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    expect(await failureOf(session.loadCache(new Uint8Array(), controller))).toMatchObject({ code: 'ABORTED' });
    expect(await failureOf(session.saveCache(controller))).toMatchObject({ code: 'ABORTED' });
    expect(await failureOf(collect(session.cacheStream(controller)))).toMatchObject({ code: 'ABORTED' });
    expect(await stateOf(session)).toEqual(before);
  });

  test('closing ends running operations', async () => {
    const closing = generator.createSession();
    await closing.loadCache(fixtureFile(folder + exact.file));
    const stream = closing.cacheStream();
    const { source, asked, cancelled } = stalling(fixtureFile(folder + exact.file));
    const loading = failureOf(closing.loadCache(source));
    const waiting = failureOf(closing.saveCache());
    await asked;
    closing.close();
    expect(await loading).toMatchObject({ code: 'CLOSED' });
    expect(await waiting).toMatchObject({ code: 'CLOSED' });
    await cancelled;
    const late = [stream, () => closing.saveCache(), () => closing.cacheStream(), () => closing.loadCache('x')];
    for (const call of late) {
      const result = typeof call === 'function' ? call() : call;
      const reading = result instanceof Promise ? result : collect(result);
      expect(await failureOf(reading)).toMatchObject({ code: 'CLOSED' });
    }
  });

  test('an empty session can be saved, too', async () => {
    const file = await session.saveCache();
    const { tensors, metadata } = plainSafetensors(file);
    expect(tensors.get('layer_0_key').shape).toEqual([1, 2, 0, 8]);
    expect(metadata.seq_len).toBe('0');
    await session.generate([1, 2], { temperature: 0, maxTokens: 1 }).finished;
    await session.loadCache(file);
    expect(session.length).toBe(0);
  });
});

const nibble = (bytes, i) => ((bytes[i >> 1] >> (4 * (i & 1))) << 28) >> 28;
