// A server on localhost that has one file, and answers as a test wants.
import { listen } from './http_server.mjs';

export const etag = '"first"';

/**
 * Serves `file`. Each request takes the next of `server.plans`, or the usual: ranges, `If-Range` and an ETag. A plan
 * describes the difference: `cut` (bytes after which the connection breaks, whether they were read or not), `hang`
 * (bytes after which nothing comes until `server.breakOff()`), `status`, `headers` (undefined: left out), `ranges:
 * false`, `file`.
 */
export async function serveFile(file) {
  const plans = [];
  let last;
  const server = await listen((request, response) => {
    last = response;
    answer(request, response, { file, ...plans.shift() });
  });
  return Object.assign(server, { plans, breakOff: () => last.destroy() });
}

export function answer(request, response, { file, cut, hang, status, headers = {}, ranges = true }) {
  if (status) return response.writeHead(status).end();
  // The browser's own cache would answer, and continue, by itself.
  const all = { etag, 'content-type': 'application/octet-stream', 'cache-control': 'no-store', ...headers };
  const { range, 'if-range': version } = request.headers;
  const isSame = [undefined, all.etag, all['last-modified']].includes(version);
  const from = ranges && range && isSame ? Number(/\d+/.exec(range)[0]) : 0;
  const body = file.subarray(from);
  if (!('content-length' in all)) all['content-length'] = body.length;
  if (from) all['content-range'] ??= `bytes ${from}-${file.length - 1}/${file.length}`;
  const sent = Object.entries(all).filter(([, value]) => value !== undefined);
  response.writeHead(from ? 206 : 200, Object.fromEntries(sent));
  if (cut === undefined && hang === undefined) return response.end(body);
  response.flushHeaders();
  return response.write(body.subarray(0, cut ?? hang), () => cut !== undefined && response.destroy());
}
