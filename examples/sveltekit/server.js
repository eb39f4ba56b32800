// Browsers share memory between threads only where every file has these headers, also the scripts of workers, which
// `handle` of hooks.server.js does not reach.
import { createServer } from 'node:http';
import { handler } from './build/handler.js';

const server = createServer((request, response) => {
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
  handler(request, response);
});
server.listen(process.env.PORT ?? 3000, () => console.log(`http://localhost:${server.address().port}/`));
