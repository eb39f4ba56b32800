// Loads a tokenizer from a file or a folder, reading no more than necessary.

import { abortable, throwIfAborted } from '../base/abort.js';
import { lazyModule } from '../base/lazy_module.js';
import { checkReadOptions } from '../base/rules.js';
import type { LoadProgress, ModelInput } from '../base/types.js';
import { feedAll, open, totalOf, using } from '../engine/load/feed.js';
import { feedWanted } from '../engine/load/feed_wanted.js';
import { obtainWatched } from '../engine/load/loading.js';
import { unwrap } from '../engine/native.js';
import type { ByteSource, RandomAccessSource } from '../sources/bytes/byte_source.js';
import { fetchSeekable } from '../sources/bytes/http_ranges.js';
import { isTemplateFile } from '../sources/folder.js';
import { locate } from '../sources/locate.js';
import { openModelFile } from '../sources/open_files.js';
import type { ModelFile, Reader } from '../sources/types.js';
import { obtainTokenizerEngine } from './engine.js';
import type { NativeTokenizer } from './native.js';
import { NativeTokens, type TokenizerEngine } from './native_tokens.js';
import { type TokenizerLoadOptions, tokenizerRules } from './options.js';

const templating = lazyModule(() => import('../chat/chat_templates.js'), 'ChatTemplates');

const templateFile = lazyModule(() => import('../engine/load/template_file.js'), 'readTemplate');

/** The parts of a model that a tokenizer reads. */
const reader: Reader = {
  who: 'Tokenizer',
  kinds: ['none', 'gguf', 'own'],
  own: ['.amb', '.alt', '.weights'],
  hasTemplates: true,
  isPartial: true,
};

/** Everything is loaded in advance, because the methods of a tokenizer are synchronous and accept any template. */
async function loadTemplates() {
  const part = await templating();
  await part.loadRareParts();
  return part.ChatTemplates;
}

export async function loadTokenizer(source: ModelInput, options: TokenizerLoadOptions = {}): Promise<NativeTokens> {
  checkReadOptions(options, 'load', tokenizerRules);
  const { signal, onProgress, wasm } = options;
  throwIfAborted(signal);
  const notify = onProgress && ((progress: LoadProgress) => onProgress(progress));
  const obtaining = obtainWatched((onBytes) => obtainTokenizerEngine({ wasm, onBytes }), { onProgress: notify });
  obtaining.catch(() => {});
  const templates = loadTemplates();
  templates.catch(() => {});
  const found = await locate(source, reader, options);
  const files = found.filter(({ name }) => !name.endsWith('.safetensors'));
  const engine = await abortable(obtaining, signal);
  const loading = new TokenizerLoading(engine, signal, notify);
  const native = await (files[0]?.name === '' ? loading.ofFile(files[0]) : loading.ofFolder(files));
  return new NativeTokens(engine, native, await templates, loading.templates);
}

class TokenizerLoading {
  /** Chat templates in their own files, by name. */
  readonly templates: Record<string, string> = {};
  private loaded = 0;

  constructor(
    private readonly engine: TokenizerEngine,
    private readonly signal: AbortSignal | undefined,
    private readonly onProgress: ((progress: LoadProgress) => void) | undefined,
  ) {}

  ofFile(file: ModelFile): Promise<NativeTokenizer> {
    return this.opened(file, (source) => {
      const seekable = source.readAt !== undefined;
      const start = () => this.engine.run((native) => new native.TokenizerLoader('', totalOf(source), seekable));
      return using(this.engine, start, async (loader) => {
        const watch = { signal: this.signal, onBytes: this.onBytes() };
        if (seekable) await feedWanted(this.engine, loader, source as RandomAccessSource, watch);
        else await feedAll(this.engine, loader, source, watch);
        return this.engine.run(() => unwrap(loader.finish()));
      });
    });
  }

  ofFolder(files: readonly ModelFile[]): Promise<NativeTokenizer> {
    const start = () => this.engine.run((native) => new native.TokenizerFolderLoader());
    return using(this.engine, start, async (loader) => {
      for (const file of files) {
        if (isTemplateFile(file.name)) {
          const { readTemplate } = await templateFile();
          const template = await this.opened(file, (source) => readTemplate(source, file.name));
          this.templates[template.name] = template.text;
          this.loaded += template.bytes;
          continue;
        }
        this.engine.run(() => unwrap(loader.beginFile(file.name)));
        await this.opened(file, (source) =>
          feedAll(this.engine, loader, source, { signal: this.signal, onBytes: this.onBytes() }),
        );
        this.engine.run(() => unwrap(loader.endFile()));
      }
      return this.engine.run(() => unwrap(loader.finish()));
    });
  }

  private async opened<T>(file: ModelFile, job: (source: ByteSource) => Promise<T>): Promise<T> {
    const opened = await open({ open: (signal) => openModelFile(file, signal, [], fetchSeekable) }, this.signal);
    try {
      return await job(opened);
    } finally {
      await opened.close();
    }
  }

  /** Progress continues from file to file. */
  private onBytes(): (loaded: number) => void {
    const before = this.loaded;
    return (loaded) => {
      this.loaded = before + loaded;
      this.onProgress?.({ stage: 'download', loaded: this.loaded });
    };
  }
}
