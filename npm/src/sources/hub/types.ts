// The repositories of the Hugging Face Hub, and the platform's part in requesting them.

/** The parts of a name: hf:OWNER/NAME, then @REVISION, then :QUANT or /FILE. */
export interface HubName {
  /** OWNER/NAME */
  repository: string;
  /** A branch, a tag or a commit. */
  revision: string;
  /** The quantization of a GGUF model. */
  quant?: string | undefined;
  /** One file of the repository. */
  file?: string | undefined;
}

/** Settings for requests to the Hub. */
export interface HubAccess {
  /** Without a slash at the end. */
  endpoint: string;
  /** Sent only to the origin of the endpoint. */
  token?: string | undefined;
  /** Whether only cached files may be used. */
  offline: boolean;
  /** The cache folder that is shared with Python, where there is one. */
  folder?: string | undefined;
}

/** A file of a repository. */
export interface RepositoryFile {
  /** With slashes, relative to the repository. */
  path: string;
  size: number;
  /** The SHA-1 of its git object, or the SHA-256 of a file in LFS: the name under which caches store it. */
  etag: string;
  /** The git object, which for a file in LFS is only a pointer to it. */
  oid: string;
}

/** The files of a repository at one commit. */
export interface Listing {
  /** OWNER/NAME */
  repository: string;
  /** As requested: a branch, a tag or a commit. */
  revision: string;
  commit: string;
  files: readonly RepositoryFile[];
  /** Whether all files of the commit are listed, not only those that were kept. */
  isWhole: boolean;
}

/** The known facts about the model that a file belongs to. */
export interface HubModel {
  access: HubAccess;
  listing: Listing;
  /** Why the kept listing is used instead of the Hub's: a fallback to report. */
  fallback?: string | undefined;
}

/** A file to be read. Plain data, which can be sent between threads; the files of a model share `model`. */
export interface HubFile extends RepositoryFile {
  model: HubModel;
  /** Whether only parts of it are needed, so that it is not worth keeping. */
  partly: boolean;
}

/** Listings that are kept for when the Hub is asked again or cannot be asked. */
export interface KeptListings {
  find(repository: string, revision: string): Promise<Listing | undefined>;
}

/** Receives a file while it is downloaded. Nothing of it is visible before `commit`. */
export interface HubFileWriter {
  write(bytes: Uint8Array): Promise<void>;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/** The cache folder that is shared with Python. */
export interface HubFolder extends KeptListings {
  /** The location of a complete file. */
  locate(file: HubFile): Promise<URL | undefined>;
  store(file: HubFile): Promise<HubFileWriter>;
}

export interface HubPlatform {
  /** The settings of the environment. */
  defaults(): Promise<Omit<HubAccess, 'endpoint'> & { endpoint?: string | undefined }>;
  /** Whether scripts see where a response redirects to. Browsers only follow. */
  readonly seesRedirects: boolean;
  /** The cache folder `HubAccess.folder`. */
  folder?(root: string): Promise<HubFolder>;
}
