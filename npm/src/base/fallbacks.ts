// Fallbacks: the slower ways that a model uses because better ones are not available. They are not errors.

/**
 * Fallbacks that a model can use; more may be added. The table of docs/errors.md is generated from these comments
 * (tools/generate_errors_page.mjs).
 */
export type FallbackCode =
  /**
   * Workers are not allowed, or the worker's script could not be loaded. Instead: the model runs on the page, and calls
   * block it.
   */
  | 'no_worker'
  /**
   * The engine has no relaxed SIMD, or that build could not be loaded. Instead: the model runs with the build for plain
   * SIMD.
   */
  | 'baseline'
  /** These kernels compute wrong results on this machine. Instead: slower ones are used. */
  | 'kernels'
  /** Memory cannot be shared, or a compute thread did not start. Instead: the model runs in one thread. */
  | 'one_thread'
  /**
   * The file could not be kept, in the browser's cache or in the cache folder of the Hub. Instead: the next load
   * downloads it again.
   */
  | 'not_kept'
  /**
   * The Hugging Face Hub could not be reached. Instead: the copy of the model that is kept here is used, which may be
   * older.
   */
  | 'kept_copy';

/** A fallback that was taken. */
export interface Fallback {
  code: FallbackCode;
  /** The event and its reason, for people. */
  message: string;
}
