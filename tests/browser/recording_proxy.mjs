// A proxy between a browser and everything else, which notes what the browser sends: of pages, of workers, and of the
// browser itself.
import { createServer, request as requestFrom } from 'node:http';

/**
 * Gives { address, requests, close }: of every request its method, its origin and the size of its body. Only requests
 * to the origin of `home` pass.
 */
export async function recordingProxy(home) {
  const requests = [];
  const server = createServer((request, response) => {
    const { method, headers } = request;
    const url = new URL(request.url);
    const noted = { method, origin: url.origin, bytes: 0 };
    requests.push(noted);
    request.on('data', (chunk) => (noted.bytes += chunk.length));
    if (url.origin !== new URL(home).origin) return response.writeHead(403).end();
    const asked = requestFrom(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    response.on('close', () => asked.destroy());
    request.pipe(asked);
  });
  // Encrypted requests could not be read.
  server.on('connect', ({ url }, socket) => {
    requests.push({ method: 'CONNECT', origin: `https://${url}`, bytes: 0 });
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${server.address().port}`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
