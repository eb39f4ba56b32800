// The pages' side of the service worker (offline/service_worker.js).

/**
 * On hosts without headers of their own the service worker adds those that threads need: see building/page_frame.mjs.
 */
const addsHeaders = document.querySelector('meta[name=headers][content=added]') !== null;

/** The time that a first visit waits for it at most, in milliseconds. */
const patience = 4000;

/**
 * Resolves when the service worker serves this page, so that everything loaded from then on is kept for offline use. It
 * also resolves when there is no service worker.
 */
export async function servedForOffline(): Promise<void> {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (!serviceWorker) return;
  const registered = serviceWorker.register(`${import.meta.env.BASE_URL}sw.js${addsHeaders ? '?headers=added' : ''}`);
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
  if (addsHeaders && !crossOriginIsolated && serviceWorker.controller) await reloadOnce();
}

/** The page itself came without the headers; the next time the service worker serves it. */
async function reloadOnce(): Promise<void> {
  const key = 'quintet-reloaded';
  try {
    if (sessionStorage.getItem(key)) return;
    sessionStorage.setItem(key, 'yes');
  } catch {
    return;
  }
  location.reload();
  await new Promise(() => {});
}

/** Makes the service worker keep all pages, and shows when it has. */
export function keepForOffline(say: (sentence: string) => void): void {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (!serviceWorker) return;
  if (!serviceWorker.controller) {
    // Too late for the files that this page has loaded: the next visit continues.
    const keep = () => serviceWorker.controller?.postMessage('keep');
    return serviceWorker.addEventListener('controllerchange', keep, { once: true });
  }
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ kept?: boolean }>) => {
    if (data.kept) say('Works offline.');
  });
  serviceWorker.controller.postMessage('keep');
}
