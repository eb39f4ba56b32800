// The tokenizer of a text generator's file, without the model: for the command line.

import type { RandomAccessSource } from './byte_source.js';
import { obtainDecoderEngine } from './decoder_engine.js';
import { feedAll, feedWanted, totalOf, using } from './feed.js';
import { fetchSeekable } from './http_ranges.js';
import { unwrap } from './native.js';
import { openSource } from './source.js';
import { withText } from './text_window.js';
import type { ModelSource } from './types.js';

export interface FileTokenizer {
  tokenize(text: string): Int32Array;
  /** The vocabulary's texts of token ids. */
  tokens(ids: Int32Array): string[];
  close(): void;
}

/** Reads no more of the file than it must. */
export async function tokenizerOf(source: ModelSource): Promise<FileTokenizer> {
  const opened = await openSource(source, { download: fetchSeekable });
  const seekable = opened.readAt !== undefined;
  try {
    const engine = await obtainDecoderEngine({ variant: 'auto', threads: 1 });
    const start = () => engine.run((native) => new native.TokenizerLoader('', totalOf(opened), seekable));
    const tokenizer = await using(engine, start, async (loader) => {
      if (seekable) await feedWanted(engine, loader, opened as RandomAccessSource);
      else await feedAll(engine, loader, opened, {});
      return engine.run(() => unwrap(loader.finish()));
    });
    return {
      tokenize: (text) =>
        withText(engine, tokenizer, text, (bytes) => unwrap(tokenizer.tokenize(bytes, true, false)).slice()),
      tokens: (ids) => engine.run(() => Array.from(ids, (id) => tokenizer.token(id))),
      close: () => engine.run(() => tokenizer.delete()),
    };
  } finally {
    await opened.close();
  }
}
