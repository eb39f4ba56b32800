// A service worker that answers from its cache, and fills it.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => event.respondWith(answer(event.request)));

async function answer(request) {
  const cache = await caches.open('site');
  const known = await cache.match(request);
  if (known) return known;
  const response = await fetch(request);
  if (response.status === 200) await cache.put(request, response.clone());
  return response;
}
