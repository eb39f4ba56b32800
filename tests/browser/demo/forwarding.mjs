// An origin of its own before a site that is served elsewhere: a visitor who was never here, and a network that can be
// cut.
import { createServer, request as requestFrom } from 'node:http';
import { Readable } from 'node:stream';

/**
 * Gives { url, transfers, close }: of every answer its path and the bytes that were sent. Answers come `without` these
 * headers. `head` is added to the head of pages. With `hub`, an endpoint, that Hub is at /hub/ and pages load models
 * from it.
 */
export async function forward(target, { without = [], head = '', hub } = {}) {
  const transfers = [];
  const added = head + (hub ? '<meta name="hub" content="/hub">' : '');
  const server = createServer((request, response) => {
    if (hub && request.url.startsWith('/hub/')) return void forwardHub(hub, request, response);
    const { url, method } = request;
    const headers = { ...request.headers };
    const isPage = added !== '' && (headers.accept ?? '').includes('text/html');
    if (isPage) delete headers['accept-encoding'];
    const transfer = { path: new URL(url, target).pathname, bytes: 0 };
    transfers.push(transfer);
    const asked = requestFrom(new URL(url, target), { method, headers }, (answer) => {
      for (const header of without) delete answer.headers[header];
      transfer.bytes += answer.rawHeaders.join('').length + 2 * answer.rawHeaders.length;
      answer.on('data', (chunk) => (transfer.bytes += chunk.length));
      if (isPage && answer.statusCode === 200) return void sendWith(added, answer, response);
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    // A browser that goes away in the middle.
    response.on('close', () => asked.destroy());
    request.pipe(asked);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${server.address().port}/`,
    transfers,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The requests of a page, without those that the service worker sends afterwards to keep the other pages. */
export function transfersOf({ transfers }, page) {
  const others = transfers.findIndex(({ path }) => path.endsWith('.html') && path !== page);
  return others < 0 ? transfers : transfers.slice(0, others);
}

async function sendWith(added, answer, response) {
  const chunks = await answer.toArray();
  const page = Buffer.concat(chunks).toString().replace('<head>', `<head>${added}`);
  const { 'content-length': _, etag: __, ...headers } = answer.headers;
  response.writeHead(200, headers).end(page);
}

/** Redirections of the Hub lead to another host, which the policy of a page does not allow: they are followed here. */
async function forwardHub(hub, { url, method, headers }, response) {
  const { range } = headers;
  const answer = await fetch(hub + url.slice('/hub'.length), { method, headers: range ? { range } : {} });
  const kept = [...answer.headers].filter(([name]) => !/^(connection|transfer-encoding|keep-alive)$/.test(name));
  response.writeHead(answer.status, { ...Object.fromEntries(kept), 'cross-origin-resource-policy': 'same-origin' });
  if (answer.body) Readable.fromWeb(answer.body).pipe(response);
  else response.end();
}
