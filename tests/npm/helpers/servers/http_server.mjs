// A server on localhost whose answers a test decides.
import { createServer } from 'node:http';

/** `answer(request, response)` handles everything; { url, requests, onRequest, close }. */
export async function listen(answer) {
  const requests = [];
  const server = createServer((request, response) => {
    const { url: path, headers } = request;
    requests.push({ path, range: headers.range, ifRange: headers['if-range'], headers });
    listening.onRequest?.(requests.at(-1));
    answer(request, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const listening = {
    url: `http://127.0.0.1:${server.address().port}/`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
  return listening;
}
