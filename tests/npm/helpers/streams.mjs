// Streams that tests give, and bytes that they get.

/** A stream of chunks of one size; `closed` is how it ended. */
export function streamOf(bytes, chunkBytes, watch = {}) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + chunkBytes));
      at += chunkBytes;
    },
    cancel() {
      watch.cancelled = true;
    },
  });
}

/** A stream that fails after its first bytes. */
export function failingStream(bytes) {
  let isFirst = true;
  return new ReadableStream({
    pull(controller) {
      if (!isFirst) throw new Error('the line is dead');
      isFirst = false;
      controller.enqueue(bytes.subarray(0, 100));
    },
  });
}

/** A stream of which more is asked than there will ever be; promises report that, and its end. */
export function stalling(bytes) {
  const settled = {};
  const asked = new Promise((resolve) => (settled.ask = resolve));
  const cancelled = new Promise((resolve) => (settled.cancel = resolve));
  let pulls = 0;
  const source = new ReadableStream(
    {
      pull(controller) {
        if (++pulls === 1) return controller.enqueue(bytes.subarray(0, 1000));
        settled.ask();
        return cancelled;
      },
      cancel: () => settled.cancel(),
    },
    { highWaterMark: 0 },
  );
  return { source, asked, cancelled };
}

/** The bytes of all parts. */
export async function collect(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}
