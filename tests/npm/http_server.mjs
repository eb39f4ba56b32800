// A server on localhost whose answers a test decides.
import { createServer } from 'node:http';

/** `answer(request, response)` handles everything; { url, requests, close }. */
export async function listen(answer) {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url, range: request.headers.range });
    answer(request, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
