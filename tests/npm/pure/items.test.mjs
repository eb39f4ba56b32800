// The flow of items between a producer and its reader, in one thread and with messages between two.
import { setImmediate as turn } from 'node:timers/promises';
import { importSource } from '../helpers/source.mjs';

const { ItemQueue, RemoteItemSink } = await importSource('worker/items.ts');

/** A producer in another thread and the reader's queue: what they post to each other arrives in a later turn. */
function connected(ahead) {
  const queue = new ItemQueue(ahead);
  const sink = new RemoteItemSink(
    ahead,
    (items) => setImmediate(() => items.forEach((item) => queue.give(item))),
    () => {},
  );
  queue.onRead = () => {
    const { taken, isUnlimited, isCancelled } = queue;
    setImmediate(() => sink.update({ taken, isUnlimited, isCancelled }));
  };
  return { queue, sink, end: () => setImmediate(() => queue.end()) };
}

function inOneThread(ahead) {
  const queue = new ItemQueue(ahead);
  return { queue, sink: queue, end: () => queue.end() };
}

/** Gives 0 to count - 1 as hosts do; `given` grows while it runs. */
function produce({ sink, end }, count) {
  const producer = { given: 0 };
  producer.finished = (async () => {
    while (producer.given < count && !sink.isCancelled) {
      sink.give(producer.given);
      producer.given += 1;
      if (!sink.hasRoom) await sink.room();
    }
    await sink.read();
    end();
  })();
  return producer;
}

async function untilStill(producer) {
  for (let before = -1; before !== producer.given; ) {
    before = producer.given;
    for (let i = 0; i < 10; i += 1) await turn();
  }
}

describe.each([
  ['in one thread', inOneThread],
  ['between two threads', connected],
])('%s', (_, connect) => {
  test.each([1, 2, 7])('with %i ahead, all items arrive once, in order', async (ahead) => {
    const flow = connect(ahead);
    const producer = produce(flow, 50);
    const items = [];
    for (let item; (item = await flow.queue.next()) !== undefined; ) items.push(item);
    expect(items).toEqual(Array.from({ length: 50 }, (_, i) => i));
    await producer.finished;
  });

  test('the producer waits for a reader that pauses', async () => {
    const flow = connect(4);
    const producer = produce(flow, 50);
    await untilStill(producer);
    expect(producer.given).toBe(4);
    await flow.queue.next();
    await untilStill(producer);
    expect(producer.given).toBe(5);
    flow.queue.leave();
    await producer.finished;
  });

  test('a reader that stops ends the producer and gets nothing more', async () => {
    const flow = connect(4);
    const producer = produce(flow, 50);
    await flow.queue.next();
    flow.queue.leave();
    await producer.finished;
    expect(producer.given).toBeLessThan(10);
    expect(await flow.queue.next()).toBeUndefined();
  });

  test('without a limit, the producer does not wait', async () => {
    const flow = connect(4);
    const producer = produce(flow, 50);
    flow.queue.open();
    await producer.finished;
    expect(producer.given).toBe(50);
  });
});
