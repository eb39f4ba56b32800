// The models that a server keeps in memory.
import { expect, test } from '@jest/globals';
import { importSource } from '../helpers/source.mjs';

const { ModelPool } = await importSource('cli/serve/model_pool.ts');

/** A pool of models of one byte each, and what happens to them. */
function poolOf(names, maxBytes) {
  const events = [];
  const closing = new Map();
  const loaderOf = (name) => ({
    bytes: async () => 1,
    load: async () => {
      events.push(`load ${name}`);
      return {
        close: () => {
          events.push(`close ${name}`);
          closing.get(name)?.();
        },
      };
    },
  });
  const pool = new ModelPool(new Map(names.map((name) => [name, loaderOf(name)])), { idleMs: 1e6, maxBytes });
  const sources = pool.sources();
  const use = (...used) => pool.during(() => Promise.all(used.map((name) => sources[name]())));
  return { pool, use, events, onClosing: (name, listener) => closing.set(name, listener) };
}

test('the least recently used model makes room, never one in use', async () => {
  const { pool, use, events } = poolOf(['a', 'b', 'c'], 2);
  (await use('a')).release();
  const { release } = await use('b');
  (await use('c')).release();
  (await use('a')).release();
  release();
  expect(events).toEqual(['load a', 'load b', 'close a', 'load c', 'close c', 'load a']);
  await pool.close();
});

test('a model requested while another makes room stays', async () => {
  const { pool, use, events, onClosing } = poolOf(['a', 'b', 'c', 'd'], 2);
  (await use('a', 'b')).release();
  let second;
  onClosing('a', () => {
    second = use('b');
  });
  // Both would have to go.
  await expect(use('c', 'd')).rejects.toMatchObject({ code: 'MEMORY', reason: 'out_of_memory' });
  const { release } = await second;
  expect(events).not.toContain('close b');
  release();
  await pool.close();
});

test('a model that could not be loaded is loaded by the next request', async () => {
  let attempts = 0;
  const load = async () => {
    if (++attempts === 1) throw new Error('not yet');
    return { close() {} };
  };
  const pool = new ModelPool(new Map([['a', { load, bytes: async () => 1 }]]), { idleMs: 1e6, maxBytes: 1 });
  const { a } = pool.sources();
  const use = () => pool.during(() => Promise.all([a(), a()]));
  await expect(use()).rejects.toThrow('not yet');
  (await use()).release();
  expect(attempts).toBe(2);
  await pool.close();
});
