// Files that a slow step made, for builds with the same inputs in this clone or another.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { caches } from './paths.mjs';

const daysKept = 30;

export class ResultCache {
  #folder;
  /** `step`: the name of its folder. */
  constructor(step) {
    this.#folder = join(caches, step);
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Copies what was stored under a digest of the inputs to the paths in `outputs`; false if there is nothing. */
  restore(digest, outputs) {
    const names = readdirSync(this.#folder).includes(digest) ? readdirSync(join(this.#folder, digest)) : [];
    names.forEach((name) => copyFileSync(join(this.#folder, digest, name), outputs[Number(name)]));
    if (names.length > 0) utimesSync(join(this.#folder, digest), new Date(), new Date());
    return names.length > 0;
  }

  /** Stores those of these files that exist. */
  store(digest, outputs) {
    this.#forgetOld();
    const folder = mkdtempSync(join(this.#folder, 'new-'));
    for (const [i, path] of outputs.entries()) {
      if (statSync(path, { throwIfNoEntry: false })) copyFileSync(path, join(folder, String(i)));
    }
    try {
      renameSync(folder, join(this.#folder, digest));
    } catch {
      // Another build stored it first.
      rmSync(folder, { recursive: true });
    }
  }

  #forgetOld() {
    const oldest = Date.now() - daysKept * 24 * 60 * 60 * 1000;
    for (const entry of readdirSync(this.#folder)) {
      // Other builds may be renaming their entries.
      const made = statSync(join(this.#folder, entry), { throwIfNoEntry: false })?.mtimeMs;
      if (made < oldest) rmSync(join(this.#folder, entry), { recursive: true, force: true });
    }
  }
}
