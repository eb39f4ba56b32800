// The model of a run, and how it is used: the same for all workers, so that their vectors are.
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SearchIndex } from 'quintet';
import { sha256OfFile } from './sha256.mjs';

/** Options of the producer. */
export const MODEL_OPTIONS = {
  model: { type: 'string' },
  quantize: { type: 'string' },
  prompt: { type: 'string' },
  'prompt-name': { type: 'string' },
};

/** Facts about the model for the manifest. */
export async function modelFacts(path, { quantize = 'none', prompt = null, 'prompt-name': promptName = null }) {
  if (!['none', 'int8'].includes(quantize)) throw new Error(`--quantize takes none or int8, not '${quantize}'`);
  if (prompt !== null && promptName !== null) throw new Error('--prompt and --prompt-name cannot be used together');
  return { model: await fingerprintOf(path), quantize, prompt, promptName };
}

/** Files of a folder that decide what the model computes. */
const MODEL_FILE = /\.(json|txt|model|safetensors|gguf|weights)$/;

/**
 * SHA-256 of a file; of the names and hashes of a folder's files, as `quintet search` computes it to recognize the
 * model.
 */
export async function fingerprintOf(path) {
  if (!(await stat(path)).isDirectory()) return sha256OfFile(path);
  const names = (await readdir(path, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const lines = [];
  for (const name of names.filter((each) => MODEL_FILE.test(each)).sort())
    lines.push(`${name} ${await sha256OfFile(join(path, name))}`);
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** The options of `Embedder.encode` for passages: the prompt of the run, or the model's own for documents. */
export function passageOptions({ prompt, promptName }) {
  return { role: 'document', ...(prompt !== null && { prompt }), ...(promptName !== null && { promptName }) };
}

/** An empty index for their vectors, as `quintet search --index` makes it: it remembers the model and its prompts. */
export function emptyIndex(embedder, { prompt, promptName }) {
  const document = prompt ?? embedder.prompts[promptName];
  const prompts = document !== undefined && { prompts: { document } };
  return new SearchIndex({ embedder, storage: 'int8', keywords: false, keepTexts: false, ...prompts });
}
