// A call keeps Node's process alive until it is settled, and nothing else does: neither models nor what nobody reads.
import { calls, idle, runCalls, runIdle } from './lone_calls.mjs';

const places = [
  ['in a worker', true],
  ['in this thread and another', false],
];

/** The early end of a generation depends on which messages cross, so there are many: it happens in one of them. */
const times = { TextGenerator: 10, Session: 5 };

describe.each(places)('%s', (_, worker) => {
  test.each(Object.keys(calls))('%s', async (kind) => {
    const answers = await runCalls(kind, { worker, times: times[kind] ?? 2 });
    for (const [name, [, expected]] of Object.entries(calls[kind].calls)) {
      if (expected !== undefined) expect([name, answers[name]]).toEqual([name, expected]);
    }
  });

  test('nothing keeps the process alive', async () => {
    expect(await runIdle(Object.keys(idle), { worker })).toBe(true);
  });
});

// A worker is another thread of the same process, which must be told to let go.
test.each(Object.keys(idle))('%s in a worker', async (name) => {
  expect(await runIdle([name], { worker: true })).toBe(true);
});
