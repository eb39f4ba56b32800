// The service worker of the site (offline/service_worker.js), as pages see it.

/** So long a first visit waits for it at most. */
const patience = 4000;

/**
 * Resolves when the service worker serves this page, so that what is loaded from then on works offline later; or when there is
 * no hope for that.
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
    // Where one is active already, the visitor has reloaded past it on purpose.
    if (!(await registered).active) await controlled;
  } catch {
    // No storage for this site: it works online only.
  }
}

/** Has all pages kept, and says when they are. */
export function keepForOffline(say: (sentence: string) => void): void {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (!serviceWorker) return;
  if (!serviceWorker.controller) {
    // Too late for what this page has loaded: the next visit goes on with it.
    const keep = () => serviceWorker.controller?.postMessage('keep');
    return serviceWorker.addEventListener('controllerchange', keep, { once: true });
  }
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ kept?: boolean }>) => {
    if (data.kept) say('Works offline.');
  });
  serviceWorker.controller.postMessage('keep');
}
