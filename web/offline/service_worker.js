// Keeps the pages, and whatever they have loaded, for when there is no network. The build puts two lines before this one:
//   const everyFile = […]   all files of the site
//   const keptFiles = […]   those that every visitor gets: the pages, so that they open, with their scripts and styles
// Names in /assets/ contain a digest of the content, so that what is kept under one never grows old; of the rest the network's
// version is taken where there is one. Whatever is no longer part of the site is deleted.

const cacheName = 'quintet-site';
const scope = self.location.origin;

self.addEventListener('install', () => self.skipWaiting());
// At once, so that what the first page loads from now on is kept as well.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  if (event.data !== 'keep') return;
  event.waitUntil(quiet().then(keepEverything).then((complete) => event.source?.postMessage({ kept: complete })));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // Parts of files are for the network: a kept file has no parts, and a part is no file to keep.
  if (request.method !== 'GET' || url.origin !== scope || request.headers.has('range')) return;
  const path = url.pathname.endsWith('/') ? `${url.pathname}index.html` : url.pathname;
  if (!everyFile.includes(path) || request.cache === 'no-store') return;
  event.respondWith(path.startsWith('/assets/') ? keptFirst(event, path) : networkFirst(event, path));
});

async function keptFirst(event, path) {
  const kept = await (await caches.open(cacheName)).match(path);
  return kept ?? keeping(event, path, await fetch(event.request));
}

async function networkFirst(event, path) {
  try {
    return keeping(event, path, await fetch(event.request));
  } catch (error) {
    const kept = await (await caches.open(cacheName)).match(path);
    if (kept) return kept;
    throw error;
  }
}

let underWay = 0;
let lastEnd = 0;

/** The page comes first: resolves when it has asked for nothing for a second, or has taken too long. */
async function quiet() {
  const latest = performance.now() + 10_000;
  const busy = () => underWay > 0 || performance.now() - lastEnd < 1000;
  while (busy() && performance.now() < latest) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** The response, of which a copy is kept while it is read. */
function keeping(event, path, response) {
  if (response.status !== 200 || response.redirected) return response;
  const copy = response.clone();
  // Where there is no room the page works all the same, only not offline.
  const kept = caches.open(cacheName).then((cache) => cache.put(path, copy)).catch(() => {});
  ++underWay;
  event.waitUntil(
    kept.then(() => {
      --underWay;
      lastEnd = performance.now();
    }),
  );
  return response;
}

/** Completes the cache and clears it up; whether everything is there now. */
async function keepEverything() {
  try {
    const cache = await caches.open(cacheName);
    const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
    await cache.addAll(keptFiles.filter((path) => !kept.has(path)));
    const old = [...kept].filter((path) => !everyFile.includes(path));
    await Promise.all(old.map((path) => cache.delete(path)));
    return true;
  } catch {
    return false;
  }
}
