// Answers the window's requests: OpenAI's protocol under /v1, by models of the main process, and the files of public/.
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { TextGenerator } from 'quintet';
import { openAI } from 'quintet/openai';
import { embedder, storyteller } from 'quintet-models';

/** @type {Promise<TextGenerator> | undefined} */
let stories;
const openAIAnswer = openAI({
  // A worker of Node: the main process keeps drawing.
  models: { stories: () => (stories ??= TextGenerator.load(storyteller, { worker: true })) },
});

const folder = new URL('public/', import.meta.url);
/** @type {Record<string, string>} */
const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'",
  // Several threads share memory only with these.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/** @param {Request} request */
export async function answer(request) {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith('/v1/')) return openAIAnswer(request);
  if (pathname === '/embedder.weights') return fileAnswer(embedder);
  const file = new URL(`.${pathname}`, folder);
  return file.href.startsWith(folder.href) ? fileAnswer(file) : new Response('not found', { status: 404 });
}

/** @param {URL} file */
async function fileAnswer(file) {
  try {
    const type = types[extname(file.pathname)] ?? 'application/octet-stream';
    return new Response(await readFile(file), { headers: { ...headers, 'content-type': type } });
  } catch {
    return new Response('not found', { status: 404 });
  }
}
