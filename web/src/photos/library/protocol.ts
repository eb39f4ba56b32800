// Requests of the page to the worker that holds the pictures' vectors and thumbnails.

export interface Picture {
  /** From the path, the size and the time: a changed file is another picture. */
  id: string;
  /** Within the chosen folder, whose name comes first. */
  path: string;
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
}

export interface Shown extends Picture {
  /** Absent where nothing was searched for. */
  score?: number;
  thumbnail?: Blob;
}

/** A model, for the next visit. */
export interface KnownModel {
  name: string;
  /** A name on the Hub or a URL; absent for files, which have to be chosen again, and for the bundled one. */
  source?: string;
  isBundled: boolean;
}

export interface Collection {
  pictures: number;
  /** The number of pictures that have a vector of the model. */
  indexed: number;
  /** Why pictures are not kept for the next visit. */
  unsaved?: string;
}

/** Similar pictures. */
export interface Group {
  /** The first of them. */
  pictures: Shown[];
  /** The number of pictures. */
  size: number;
  /** The smallest of the similarities that hold them together. */
  score: number;
}

export interface Duplicates {
  /** The first groups. */
  groups: Group[];
  /** The number of groups. */
  count: number;
  /** The number of pictures in all groups. */
  pictures: number;
}

export interface Library {
  /** The collection of the last visit; it can be searched at once. */
  recall(): Promise<{ collection: Collection; model?: KnownModel; folders: FileSystemDirectoryHandle[] }>;
  /** Searches the vectors of this model from now on. `probe` distinguishes it from others. */
  use(model: KnownModel, probe: Float32Array): Promise<Collection>;
  /** The ids of those that have no vector yet. */
  missing(pictures: Picture[]): Promise<string[]>;
  add(picture: Picture, file: Blob, vector: Float32Array): Promise<Collection>;
  /** Removes pictures that are no longer in a folder. */
  keepOnly(folder: string, ids: string[]): Promise<Collection>;
  /** The most similar ones, best first. */
  search(vector: Float32Array, count: number, without?: string): Promise<Shown[]>;
  /** The newest ones. */
  newest(count: number): Promise<Shown[]>;
  vectorOf(id: string): Promise<Float32Array | undefined>;
  /** Groups of pictures that are at least this similar, the largest first. */
  duplicates(minScore: number): Promise<Duplicates>;
  rememberFolder(folder: FileSystemDirectoryHandle): Promise<void>;
  forget(): Promise<Collection>;
}
