// The exports of the WebAssembly module for tokenizers (bindings/tokenizer).

import type { NativeHandle, NativeInstance, NativeReader, Outcome } from '../engine/native.js';

/** The tokenizer of a file or folder, without the model. */
export interface NativeTokenizer extends NativeHandle {
  /** JSON { type, size, special }, as `tokenizer` of ModelInfo. */
  info(): string;
  /**
   * Buffer for the UTF-8 of one or two texts, null if out of memory. Fill it, then call a method below with the lengths
   * in bytes.
   */
  textWindow(bytes: number): Uint8Array | null;
  /** `addSpecial`: add the special tokens that the model expects at the start and end of a text. */
  encode(bytes: number, addSpecial: boolean, parseSpecial: boolean): Outcome<Int32Array>;
  /** Encodes the two texts that follow each other in the buffer. `maxLength`: 0 for no limit. */
  encodePair(first: number, second: number, maxLength: number): Outcome<{ ids: Int32Array; types: Uint8Array }>;
  /**
   * JSON { templates, tokens }: the model's chat templates by name, and its special tokens by the names of templates.
   */
  chat(): string;
  /** Ids of a formatted conversation. `changes`: see FormattedChat. */
  encodeChat(bytes: number, changes: Uint32Array): Outcome<Int32Array>;
  decode(ids: Int32Array, skipSpecial: boolean): Outcome<string>;
  /** The vocabulary entry of an id; empty for an id outside the vocabulary. */
  token(id: number): string;
  /** The id of the token whose text is in the buffer, or -1. */
  id(bytes: number): number;
}

/** Reads the tokenizer files of a Hugging Face folder. For each file: `beginFile`, any number of `feed`s, `endFile`. */
export interface NativeTokenizerFolderLoader extends NativeHandle {
  beginFile(name: string): Outcome<undefined>;
  window(bytes: number): Uint8Array | null;
  feed(bytes: number): Outcome<undefined>;
  endFile(): Outcome<undefined>;
  finish(): Outcome<NativeTokenizer>;
}

/** quintet-tokenizer.wasm */
export interface NativeTokenizerModule extends NativeInstance {
  /**
   * For one file. `format`: a ModelFormat, or '' to detect it; `total`: size of the input in bytes, or -1 if unknown.
   */
  TokenizerLoader: new (
    format: string,
    total: number,
    seekable: boolean,
  ) => NativeReader<NativeTokenizer>;
  TokenizerFolderLoader: new () => NativeTokenizerFolderLoader;
}
