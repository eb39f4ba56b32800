// A run: one corpus, one model, one folder. Its manifest says what the jobs are; it is written before the first of them.
//
//   <folder>/<run>/run.json              the manifest
//                  shards/00012.safetensors
//                  index.safetensors     what the collector makes of the shards
//                  errors.jsonl          lines that have no usable text
//                  set-aside.jsonl       jobs that failed for good
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { writeAtomically } from './atomic_file.mjs';

/**
 * @typedef {object} Manifest
 * @property {string} corpus path of the JSON lines, from the shared folder
 * @property {string} sha256 of the corpus
 * @property {number} lines of the corpus
 * @property {number} chunkSize lines of a chunk
 * @property {number} chunks number of jobs, and of shards
 * @property {string} model SHA-256 of the model's file
 */

export class Run {
  /** `folder`: the shared one, wherever it is mounted on this machine. */
  constructor(folder, name) {
    if (!/^[A-Za-z0-9][\w.-]*$/.test(name)) throw new Error(`'${name}' cannot name a run: letters, digits, . _ -`);
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

  /** Undefined before a producer has begun. @returns {Promise<Manifest | undefined>} */
  async manifest() {
    try {
      return JSON.parse(await readFile(this.#manifestPath, 'utf8'));
    } catch (error) {
      if (error.code === 'ENOENT') return undefined;
      throw new Error(`${this.#manifestPath}: ${error.message}`);
    }
  }

  /** Begins the run, or joins it where another producer of the same corpus has. @param {Manifest} manifest */
  async begin(manifest) {
    await mkdir(join(this.path, 'shards'), { recursive: true });
    if ((await this.manifest()) === undefined) {
      await writeAtomically(this.#manifestPath, [`${JSON.stringify(manifest, null, 2)}\n`]);
    }
    // Read again: two may have written at once, and the last one stays.
    const present = await this.manifest();
    const other = Object.keys(manifest).find((fact) => present[fact] !== manifest[fact]);
    if (other === undefined) return;
    throw new Error(
      `run '${this.name}' has begun with another ${other} (${present[other]}, not ${manifest[other]}): name another run`,
    );
  }

  /** The path of a corpus from the shared folder, which is mounted elsewhere on other machines. */
  sharedPath(path) {
    const shared = relative(this.folder, resolve(path));
    if (shared.startsWith('..') || shared === '') throw new Error(`${path} is not in the shared folder ${this.folder}`);
    return shared;
  }

  /** Where a corpus is here. */
  localPath(shared) {
    return join(this.folder, this.sharedPath(join(this.folder, shared)));
  }

  get #manifestPath() {
    return join(this.path, 'run.json');
  }
}

/** Tells shards of this run from what others may have left. @param {Manifest} manifest */
export function runKey(manifest) {
  const facts = Object.entries(manifest).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);
}
