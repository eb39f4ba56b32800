// An origin of its own before a site that is served elsewhere: a visitor who was never here, and a network that can be cut.
import { createServer, request as requestFrom } from 'node:http';

/** Gives { url, transfers, close }: of every answer its path and the bytes that were sent. Answers come `without` these headers. */
export async function forward(target, { without = [] } = {}) {
  const transfers = [];
  const server = createServer((request, response) => {
    const { url, method, headers } = request;
    const transfer = { path: new URL(url, target).pathname, bytes: 0 };
    transfers.push(transfer);
    const asked = requestFrom(new URL(url, target), { method, headers }, (answer) => {
      for (const header of without) delete answer.headers[header];
      response.writeHead(answer.statusCode, answer.headers);
      transfer.bytes += answer.rawHeaders.join('').length + 2 * answer.rawHeaders.length;
      answer.on('data', (chunk) => (transfer.bytes += chunk.length)).pipe(response);
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
