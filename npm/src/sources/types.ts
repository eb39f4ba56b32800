// The files of a model: where they are, and how they are opened.

import type { ModelSource } from '../base/types.js';
import type { ByteSource } from './bytes/byte_source.js';
import type { HubFile } from './hub/types.js';

/** A file of a model, or of any other call. */
export interface ModelFile {
  /** Empty if it is the only file, or if it is one of a list. */
  name: string;
  source: ModelSource;
  /** The place where a browser keeps it, if at all. */
  entry?: CacheEntry | undefined;
  /** For a file of the Hub, which `source` is only the address of. */
  hub?: HubFile | undefined;
}

/** The entry of a file in the browser's cache. Can be sent between threads. */
export interface CacheEntry {
  name: string;
  /** The digest that the file must have. */
  integrity: string | undefined;
  /** Whether the stored file must not be used. */
  stale: boolean;
  /** The version that the file must be of, if it is known. */
  version?: string | undefined;
}

/** Options for fetching a file from a server. */
export type Download = (request: URL | Request, signal?: AbortSignal) => Promise<ByteSource>;

/** A file that is opened in the thread that reads it. */
export interface OpenableFile {
  /** Empty if it is the only file. */
  name: string;
  /** Whether it is on a server, so that reading several files at once is faster. */
  isRemote: boolean;
  /** In bytes, if it is known before the file is opened. */
  size?: number | undefined;
  /** `download`: how to fetch it from a server. Default: in order, from start to end. */
  open(signal: AbortSignal | undefined, download?: Download): Promise<ByteSource>;
}

/** Files in which a model can be. The first kind that a repository has is taken. */
export type WeightKind = 'safetensors' | 'gguf' | 'own' | 'none';

/** The parts of a model that a class or function reads. */
export interface Reader {
  /** For messages. */
  who: string;
  /** Default: all but `none`, which is a tokenizer without a model. */
  kinds?: readonly WeightKind[];
  /** Endings of files in quintet's own formats that it reads. */
  own: readonly string[];
  /** The files that describe a model, where they are not those of texts. */
  describing?: readonly string[];
  /** The file with the weights, where it is not that of a model. */
  weights?: string;
  /** Optional files, which are read if they exist. */
  others?: readonly string[];
  /** Whether image networks are read too. */
  hasImages?: boolean;
  /** Whether chat templates in separate files are read too. */
  hasTemplates?: boolean;
  /** Whether the model may have several modules, as those of Sentence Transformers. */
  hasModules?: boolean;
  /** The error for a folder, if the model must be one file. */
  single?: string;
  /** Whether only parts of the weights are read. */
  isPartial?: boolean;
}
