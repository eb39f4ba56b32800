import { storage } from '../open_files.js';

/** A file kept by the option `cache` of a load. */
export interface CachedModel {
  /** The value of the option; with `cache: true` the URL of the file, or `hf:OWNER/NAME@REVISION/FILE`. */
  name: string;
  /** Size of the file. */
  bytes: number;
}

/**
 * The files that pages of this origin keep with the option `cache`. Always empty where there is no such cache, as in
 * Node.
 */
export interface ModelCache {
  /** Complete files, sorted by name. */
  list(): Promise<CachedModel[]>;
  /** Total size of these files in bytes. */
  size(): Promise<number>;
  /**
   * Deletes a file, or the remains of an interrupted download; and all files of a model with this name, such as
   * `hf:OWNER/NAME@REVISION`. Returns false if there is none.
   */
  delete(name: string): Promise<boolean>;
  /** Deletes all files, and the remains of interrupted downloads. */
  clear(): Promise<void>;
}

/** The files that are kept in this origin's storage. */
export const modelCache: ModelCache = {
  list: async () => (await storage()).listStored(),
  size: async () => (await storage()).storedSize(),
  delete: async (name) => (await storage()).deleteModel(name),
  clear: async () => (await storage()).clearStored(),
};
