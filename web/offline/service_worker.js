// Keeps the pages and everything they have loaded for offline use. The build inserts these lines before this one:
//   const base = '/'        where the site is on its host
//   const everyFile = […]   all files of the site but those in textFolders
//   const keptFiles = […]   what every visitor gets: the pages with their scripts and styles
//   const textFolders = […], textsDigest = '…'   the book and the documentation, which are kept together or not at all
// File names in /assets/ contain a digest of the content, so a kept file never gets stale. For the rest, the network
// comes first. Files that are no longer part of the site are deleted.
//
// With `?headers=added` it gives the files the headers that threads need, for hosts that send none, such as GitHub
// Pages: only cross-origin isolated pages have shared memory
// (https://developer.mozilla.org/docs/Web/API/Window/crossOriginIsolated).

const cacheName = 'quintet-site';
const textsName = 'quintet-texts-';
const isText = (path) => textFolders.some((folder) => path.startsWith(base + folder));
const cacheOf = (path) => caches.open(isText(path) ? textsName + textsDigest : cacheName);
const scope = self.location.origin;
const addsHeaders = new URLSearchParams(self.location.search).get('headers') === 'added';
const addedHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
};

self.addEventListener('install', () => self.skipWaiting());
// Takes over at once, so that everything the first page loads from now on is kept.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  if (event.data !== 'keep') return;
  event.waitUntil(
    quiet()
      .then(keepEverything)
      .then((complete) => event.source?.postMessage({ kept: complete })),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // Range requests go to the network: the cache has whole files only.
  if (request.method !== 'GET' || url.origin !== scope || request.headers.has('range')) return;
  const path = url.pathname.endsWith('/') ? `${url.pathname}index.html` : url.pathname;
  if (!(everyFile.includes(path) || isText(path)) || request.cache === 'no-store') return;
  const found = path.startsWith(`${base}assets/`) ? keptFirst(event, path) : networkFirst(event, path);
  event.respondWith(addsHeaders ? found.then(withHeaders) : found);
});

function withHeaders(response) {
  // The target of a redirection is requested separately.
  if (response.type === 'opaqueredirect' || response.status === 0) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(addedHeaders)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

async function keptFirst(event, path) {
  const kept = await (await cacheOf(path)).match(path);
  return kept ?? keeping(event, path, await fetch(event.request));
}

async function networkFirst(event, path) {
  try {
    return keeping(event, path, await fetch(event.request));
  } catch (error) {
    const kept = await (await cacheOf(path)).match(path);
    if (kept) return kept;
    throw error;
  }
}

let underWay = 0;
let lastEnd = 0;

/** The page comes first: resolves when it has requested nothing for a second, or after ten seconds. */
async function quiet() {
  const latest = performance.now() + 10_000;
  const busy = () => underWay > 0 || performance.now() - lastEnd < 1000;
  while (busy() && performance.now() < latest) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Returns the response and keeps a copy of it. */
function keeping(event, path, response) {
  if (response.status !== 200 || response.redirected) return response;
  const copy = response.clone();
  // Without storage the page still works, only not offline.
  const kept = cacheOf(path)
    .then((cache) => cache.put(path, copy))
    .catch(() => {});
  ++underWay;
  event.waitUntil(
    kept.then(() => {
      --underWay;
      lastEnd = performance.now();
    }),
  );
  return response;
}

/** Completes the cache and removes old files. Returns whether everything is cached now. */
async function keepEverything() {
  try {
    const cache = await caches.open(cacheName);
    const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
    await cache.addAll(keptFiles.filter((path) => !kept.has(path)));
    const old = [...kept].filter((path) => !everyFile.includes(path));
    await Promise.all(old.map((path) => cache.delete(path)));
    const oldTexts = (await caches.keys()).filter((name) => name.startsWith(textsName) && !name.endsWith(textsDigest));
    await Promise.all(oldTexts.map((name) => caches.delete(name)));
    return true;
  } catch {
    return false;
  }
}
