// What the wasm module of tokenizers exports (bindings/tokenizer).

import type { NativeHandle, NativeInstance, NativeIntake, Outcome } from '../engine/native.js';

/** The tokenizer of a file or folder without its model. */
export interface NativeTokenizer extends NativeHandle {
  /** JSON { type, size, special } as `tokenizer` of ModelInfo. */
  info(): string;
  /** Room for the UTF-8 of one text or two, null where there is no memory; then a call below with the lengths in bytes. */
  textWindow(bytes: number): Uint8Array | null;
  /** `addSpecial`: with what the model wants at the begin and the end of a text. */
  encode(bytes: number, addSpecial: boolean, parseSpecial: boolean): Outcome<Int32Array>;
  /** Of the two texts that stand one behind the other in the window. `maxLength`: 0 for no limit. */
  encodePair(first: number, second: number, maxLength: number): Outcome<{ ids: Int32Array; types: Uint8Array }>;
  decode(ids: Int32Array, skipSpecial: boolean): Outcome<string>;
  /** The vocabulary's text of one id; empty for an id outside of it. */
  token(id: number): string;
  /** The id of the token whose text stands in the window, or -1. */
  id(bytes: number): number;
}

/** Takes the files of a Hugging Face folder that describe its tokenizer, each from `beginFile` over `feed`s to `endFile`. */
export interface NativeTokenizerFolderLoader extends NativeHandle {
  beginFile(name: string): Outcome<undefined>;
  window(bytes: number): Uint8Array | null;
  feed(bytes: number): Outcome<undefined>;
  endFile(): Outcome<undefined>;
  finish(): Outcome<NativeTokenizer>;
}

/** quintet-tokenizer.wasm */
export interface NativeTokenizerModule extends NativeInstance {
  /** Of one file. `format`: a name of ModelFormat or ''; `total`: bytes of the input, or -1 where unknown. */
  TokenizerLoader: new (format: string, total: number, seekable: boolean) => NativeIntake<NativeTokenizer>;
  TokenizerFolderLoader: new () => NativeTokenizerFolderLoader;
}
