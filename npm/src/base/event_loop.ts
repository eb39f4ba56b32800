// Lets long computations yield to messages, timers and aborts, at little cost in speed.

const sliceMs = 8;
let channel: MessageChannel | undefined;
let lastTurn = 0;

/** Resolves in the next turn of the event loop, after the tasks that are already queued. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') {
      setImmediate(resolve);
      return;
    }
    // Nested calls of setTimeout wait 4 ms, so it is only a last resort. Messages of one port arrive in order.
    if (typeof MessageChannel !== 'function') {
      setTimeout(resolve);
      return;
    }
    channel ??= new MessageChannel();
    channel.port1.addEventListener('message', () => resolve(), { once: true });
    channel.port1.start();
    channel.port2.postMessage(0);
  });
}

/** Yields to the event loop if the last yield was some milliseconds ago. */
export async function yieldIfDue(): Promise<void> {
  if (performance.now() - lastTurn < sliceMs) return;
  await nextTurn();
  lastTurn = performance.now();
}
