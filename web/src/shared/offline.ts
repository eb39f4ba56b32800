// The pages' side of the service worker (offline/service_worker.js).

/** How many milliseconds a first visit waits for it at most. */
const patience = 4000;

/**
 * Resolves when the service worker serves this page, so that everything loaded from then on is kept for offline use. It also
 * resolves when there is no service worker.
 */
export async function servedForOffline(): Promise<void> {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (!serviceWorker) return;
  const registered = serviceWorker.register('/sw.js');
  if (serviceWorker.controller) return void registered.catch(() => {});
  const controlled = new Promise<void>((resolve) => {
    serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true });
    setTimeout(resolve, patience);
  });
  try {
    // If one is active already, the visitor has bypassed it with a forced reload.
    if (!(await registered).active) await controlled;
  } catch {
    // Without storage, the site works online only.
  }
}

/** Has the service worker keep all pages, and says when it has. */
export function keepForOffline(say: (sentence: string) => void): void {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (!serviceWorker) return;
  if (!serviceWorker.controller) {
    // Too late for what this page has loaded: the next visit continues.
    const keep = () => serviceWorker.controller?.postMessage('keep');
    return serviceWorker.addEventListener('controllerchange', keep, { once: true });
  }
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ kept?: boolean }>) => {
    if (data.kept) say('Works offline.');
  });
  serviceWorker.controller.postMessage('keep');
}
