// Streams that tests give, and bytes that they get.

/** A stream of chunks of one size; `closed` tells how it ended. */
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

/** The bytes of all parts. */
export async function collect(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}
