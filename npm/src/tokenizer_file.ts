// The tokenizer of a text generator's file or folder, without the model: for the command line.

import type { RandomAccessSource } from './byte_source.js';
import { obtainDecoderEngine } from './decoder_engine.js';
import type { Engine } from './engine.js';
import { feedAll, feedWanted, totalOf, using } from './feed.js';
import { fetchSeekable } from './http_ranges.js';
import { orderedFiles } from './model_folder.js';
import { unwrap, type NativeDecoderModule, type NativeTokenizer } from './native.js';
import { openSource } from './source.js';
import { withText } from './text_window.js';
import type { ModelFolder, ModelSource } from './types.js';

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
    return await using(engine, start, async (loader) => {
      if (seekable) await feedWanted(engine, loader, opened as RandomAccessSource);
      else await feedAll(engine, loader, opened, {});
      return fileTokenizer(engine, engine.run(() => unwrap(loader.finish())));
    });
  } finally {
    await opened.close();
  }
}

/** Of the files of a Hugging Face folder that describe a tokenizer. */
export async function tokenizerOfFolder(folder: ModelFolder): Promise<FileTokenizer> {
  const engine = await obtainDecoderEngine({ variant: 'auto', threads: 1 });
  const start = () => engine.run((native) => new native.TokenizerFolderLoader());
  return using(engine, start, async (loader) => {
    for (const [name, source] of orderedFiles(folder)) {
      engine.run(() => unwrap(loader.beginFile(name)));
      const opened = await openSource(source, {});
      try {
        await feedAll(engine, loader, opened, {});
      } finally {
        await opened.close();
      }
      engine.run(() => unwrap(loader.endFile()));
    }
    return fileTokenizer(engine, engine.run(() => unwrap(loader.finish())));
  });
}

function fileTokenizer(engine: Engine<NativeDecoderModule>, tokenizer: NativeTokenizer): FileTokenizer {
  return {
    tokenize: (text) =>
      withText(engine, tokenizer, text, (bytes) => unwrap(tokenizer.tokenize(bytes, true, false)).slice()),
    tokens: (ids) => engine.run(() => Array.from(ids, (id) => tokenizer.token(id))),
    close: () => engine.run(() => tokenizer.delete()),
  };
}
