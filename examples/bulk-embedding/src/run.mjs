// A run: one corpus, one model, one folder. The manifest describes the jobs and is written before the first of them.
//
//   <folder>/<run>/run.json              the manifest
//                  shards/00012.safetensors
//                  index.safetensors     the shards, merged by the collector
//                  errors.jsonl          lines without a usable text
//                  set-aside.jsonl       jobs that failed for good
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { writeAtomically } from './atomic_file.mjs';

/**
 * @typedef {object} Manifest
 * @property {string} corpus path of the JSON lines, relative to the shared folder
 * @property {string} sha256 of the corpus
 * @property {number} lines of the corpus
 * @property {number} chunkSize lines of a chunk
 * @property {number} chunks number of jobs, and of shards
 * @property {string} model which it is (model.mjs)
 * @property {'none' | 'int8'} quantize while the model is loaded
 * @property {string | null} prompt what is put before passages
 * @property {string | null} promptName the model's prompt that is put before passages
 */

export class Run {
  /** `folder`: the shared folder, wherever this machine mounts it. */
  constructor(folder, name) {
    if (!/^[A-Za-z0-9][\w.-]*$/.test(name))
      throw new Error(`'${name}' cannot be the name of a run: use letters, digits, . _ -`);
    this.folder = resolve(folder);
    this.name = name;
    this.path = join(this.folder, name);
  }

  shardPath(chunk) {
    return join(this.path, 'shards', `${String(chunk).padStart(5, '0')}.safetensors`);
  }

  get indexPath() {
    return join(this.path, 'index.safetensors');
  }

  get errorsPath() {
    return join(this.path, 'errors.jsonl');
  }

  get setAsidePath() {
    return join(this.path, 'set-aside.jsonl');
  }

  /** Undefined before a producer has started. @returns {Promise<Manifest | undefined>} */
  async manifest() {
    try {
      return JSON.parse(await readFile(this.#manifestPath, 'utf8'));
    } catch (error) {
      if (error.code === 'ENOENT') return undefined;
      throw new Error(`${this.#manifestPath}: ${error.message}`);
    }
  }

  /** Starts the run, or joins it if another producer of the same corpus has started it. @param {Manifest} manifest */
  async begin(manifest) {
    await mkdir(join(this.path, 'shards'), { recursive: true });
    if ((await this.manifest()) === undefined) {
      await writeAtomically(this.#manifestPath, [`${JSON.stringify(manifest, null, 2)}\n`]);
    }
    // Read again: two producers may have written at once, and the last one wins.
    const present = await this.manifest();
    const other = Object.keys(manifest).find((fact) => present[fact] !== manifest[fact]);
    if (other === undefined) return;
    throw new Error(
      `run '${this.name}' was started with a different ${other} (${present[other]}, not ${manifest[other]}): use another name`,
    );
  }

  /** The path of a corpus relative to the shared folder, which other machines may mount elsewhere. */
  sharedPath(path) {
    const shared = relative(this.folder, resolve(path));
    if (shared.startsWith('..') || shared === '') throw new Error(`${path} is not in the shared folder ${this.folder}`);
    return shared;
  }

  /** The path of a corpus on this machine. */
  localPath(shared) {
    return join(this.folder, this.sharedPath(join(this.folder, shared)));
  }

  get #manifestPath() {
    return join(this.path, 'run.json');
  }
}

/** Identifies the shards of this run among leftovers of others. @param {Manifest} manifest */
export function runKey(manifest) {
  const facts = Object.entries(manifest).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);
}
