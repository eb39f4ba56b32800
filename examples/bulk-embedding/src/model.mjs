// The model of a run, and how it is used: the same for all workers, so that their vectors are.
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { sha256OfFile } from './sha256.mjs';

/** Options of the producer. */
export const MODEL_OPTIONS = {
  model: { type: 'string' },
  quantize: { type: 'string' },
  prompt: { type: 'string' },
  'prompt-name': { type: 'string' },
};

/** Names that models give to the prompt of passages. */
const PASSAGE_PROMPTS = ['document', 'passage', 'corpus'];

/** What the manifest says of the model. */
export async function modelFacts(path, { quantize = 'none', prompt = null, 'prompt-name': promptName = null }) {
  if (!['none', 'int8'].includes(quantize)) throw new Error(`--quantize takes none or int8, not '${quantize}'`);
  if (prompt !== null && promptName !== null) throw new Error('--prompt and --prompt-name cannot be used together');
  return { model: await fingerprintOf(path), quantize, prompt, promptName };
}

/** SHA-256 of a file; of the names and hashes of all files in a folder. */
export async function fingerprintOf(path) {
  if (!(await stat(path)).isDirectory()) return sha256OfFile(path);
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(`${relative(path, file)} ${await sha256OfFile(file)}\n`);
  return `folder ${hash.digest('hex')}`;
}

/** The options of `Embedder.encode` for passages. */
export function passageOptions({ prompt, promptName }, { prompts }) {
  if (prompt !== null) return { prompt };
  const name = promptName ?? PASSAGE_PROMPTS.find((each) => Object.hasOwn(prompts, each));
  return name === undefined ? {} : { promptName: name };
}
