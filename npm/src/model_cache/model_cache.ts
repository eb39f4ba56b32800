import { typeName } from '../base/values.js';
import { inputError } from '../base/errors.js';
import { storage } from './model_source.js';

/** A file that the `cache` option of a load has kept. */
export interface CachedModel {
  /** What the option said; with `cache: true` the file's URL. */
  name: string;
  bytes: number;
}

/** What the loads of this origin's pages have kept. Nothing, where nothing can be kept: in Node, above all. */
export interface ModelCache {
  /** Whole files, in the order of their names. */
  list(): Promise<CachedModel[]>;
  /** Bytes of all of them. */
  size(): Promise<number>;
  /** Forgets a file, or the part of it that a broken download left; false where there is none. */
  delete(name: string): Promise<boolean>;
  /** Forgets all files, and all parts of such. */
  clear(): Promise<void>;
}

export const modelCache: ModelCache = {
  list: async () => (await storage()).listStored(),
  size: async () => (await modelCache.list()).reduce((sum, { bytes }) => sum + bytes, 0),
  async delete(name) {
    if (typeof name !== 'string') throw inputError('wrong_type', `a name is a string, not ${typeName(name)}`);
    return (await storage()).deleteStored(name);
  },
  clear: async () => (await storage()).clearStored(),
};
