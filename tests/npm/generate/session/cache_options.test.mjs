// Invalid options for saving and loading a KV cache are named, and the session stays unchanged.
import { TextGenerator } from 'quintet';
import { failureOf } from '../../helpers/expectations.mjs';
import { threads } from '../../helpers/generator_fixtures.mjs';
import { fixtureFile, fixturePath } from '../../helpers/model_fixtures.mjs';
import { collect } from '../../helpers/streams.mjs';

const cacheFile = 'safetensors/kv-f32.safetensors';

describe.each(threads)('%s', (_, worker) => {
  let generator;
  let session;
  beforeAll(async () => {
    generator = await TextGenerator.load(fixturePath('amb/llama-f32.amb'), { worker });
  });
  afterAll(() => generator.close());
  beforeEach(() => {
    session = generator.createSession();
  });
  afterEach(() => session.close());

  test.each([
    [{ dtype: 'F64' }, 'out_of_range'],
    [{ dtype: 7 }, 'out_of_range'],
    [{ compression: 'int4' }, 'out_of_range'],
    [{ compression: 'INT4', layout: 'plain' }, 'out_of_range'],
    [{ compression: 'INT4', groupSize: 16 }, 'out_of_range'],
    [{ layout: 'packed' }, 'mismatch'],
    [{ compression: 'none', groupSize: 32 }, 'mismatch'],
    [{ sampler: 1 }, 'out_of_range'],
    [{ signal: {} }, 'out_of_range'],
    [{ type: 'F32' }, 'unknown_option'],
    [7, 'wrong_type'],
    [null, 'wrong_type'],
  ])('saving rejects the options %j', async (options, reason) => {
    await session.loadCache(fixtureFile(cacheFile));
    expect(await failureOf(session.saveCache(options))).toMatchObject({ code: 'INPUT', reason });
    expect(await failureOf(collect(session.cacheStream(options)))).toMatchObject({ code: 'INPUT', reason });
    expect(session.length).toBe(8);
  });

  test.each([
    [{ tokens: 'abc' }, 'out_of_range'],
    [{ tokens: [1.5] }, 'out_of_range'],
    [{ tokens: [-1] }, 'out_of_range'],
    [{ sampler: 'yes' }, 'out_of_range'],
    [{ signal: 7 }, 'out_of_range'],
    [{ ids: [1] }, 'unknown_option'],
    [null, 'wrong_type'],
  ])('loading rejects the options %j', async (options, reason) => {
    expect(await failureOf(session.loadCache(fixtureFile(cacheFile), options))).toMatchObject({
      code: 'INPUT',
      reason,
    });
    expect(session.length).toBe(0);
  });
});
