// Long work lets messages, timers and aborts through without giving up more speed than it must.

const sliceMs = 8;
let channel: MessageChannel | undefined;
let lastTurn = 0;

/** Resolves in the next turn of the event loop, after what already waits there. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') {
      setImmediate(resolve);
      return;
    }
    // Not setTimeout, which waits 4 ms when it is nested. A port answers in order.
    channel ??= new MessageChannel();
    channel.port1.addEventListener('message', () => resolve(), { once: true });
    channel.port1.start();
    channel.port2.postMessage(0);
  });
}

/** Takes a turn of the event loop where the last one was some milliseconds ago. */
export async function breathe(): Promise<void> {
  if (performance.now() - lastTurn < sliceMs) return;
  await nextTurn();
  lastTurn = performance.now();
}
