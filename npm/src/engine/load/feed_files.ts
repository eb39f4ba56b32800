// Feeds the native loader with the files of a model in several files. Downloads of files with tensors overlap, if the
// loader allows it.

import { throwIfAborted } from '../../base/abort.js';
import { inputError } from '../../base/errors.js';
import { lazyModule } from '../../base/lazy_module.js';
import type { ByteSource } from '../../sources/bytes/byte_source.js';
import { describesModel, isTemplateFile } from '../../sources/folder.js';
import type { OpenableFile } from '../../sources/types.js';
import { type NativeFileLoader, type NativeOverlappingLoader, unwrap } from '../native.js';
import type { Engine } from '../start/engine.js';
import { feedAll, type LoadContext, open, totalOf } from './feed.js';
import { inFile } from './file_errors.js';

const templateFile = lazyModule(() => import('./template_file.js'), 'readTemplate');

// Each connection buffers bytes that were not fed yet; more of them are rarely faster.
const maxDownloads = 3;

// Enough that small files have arrived before they are needed.
const filesAhead = 8;

type FileLoader = Pick<NativeFileLoader<unknown>, 'beginFile' | 'window' | 'feed' | 'endFile'> &
  Partial<Pick<NativeOverlappingLoader<unknown>, 'chooseFile' | 'headersRead'>>;

/** The files that were fed. */
export interface FedFiles {
  /** Size of all files. */
  bytes: number;
  /** Chat templates in their own files, by name. The loader does not read them. */
  templates: Record<string, string>;
}

/**
 * Feeds all files, of which the first is open, and closes them.
 * @throws QuintetError INPUT with `integrity`, which is for models in one file; what reading and loading throw
 */
export async function feedFiles(
  engine: Engine,
  loader: FileLoader,
  files: readonly OpenableFile[],
  first: ByteSource,
  integrity: string | undefined,
  watch: LoadContext,
): Promise<FedFiles> {
  if (integrity) throw inputError('mismatch', "load: 'integrity' is for models in one file");
  const feeding = new FilesFeeding(engine, loader, files, first, watch);
  const abort = () => feeding.stop(watch.signal?.reason);
  watch.signal?.addEventListener('abort', abort);
  try {
    for (const i of files.keys()) await feeding.begin(i);
    return { bytes: await feeding.end(), templates: feeding.templates };
  } catch (error) {
    // The other files failed only because they were stopped.
    throw feeding.failure ?? error;
  } finally {
    watch.signal?.removeEventListener('abort', abort);
    await feeding.stop();
  }
}

/** Undefined if one of the sizes is not known yet. */
const sumOf = (sizes: readonly (number | undefined)[]): number | undefined =>
  sizes.reduce((sum, size) => (size === undefined || sum === undefined ? undefined : sum + size), 0);

class FilesFeeding {
  readonly templates: Record<string, string> = {};
  /** The first error of a file. */
  failure: unknown;
  private loaded = 0;
  private readonly stopping = new AbortController();
  /** These never reject. */
  private readonly running = new Set<Promise<void>>();
  private lastHead: Promise<void> = Promise.resolve();
  /** The sizes of the files, as far as they are known: some when they are opened. */
  private readonly sizes: (number | undefined)[];
  private readonly opening: Promise<ByteSource>[];
  /** The number of files that were fed, or are being fed. */
  private begun = 0;
  /** The number of files that the loader has received. */
  private loaderFiles = 0;

  constructor(
    private readonly engine: Engine,
    private readonly loader: FileLoader,
    private readonly files: readonly OpenableFile[],
    first: ByteSource,
    private readonly watch: LoadContext,
  ) {
    this.sizes = files.map(({ size }) => size);
    this.opening = [Promise.resolve(first)];
  }

  /** Begins to feed a file as soon as it may. */
  async begin(number: number): Promise<void> {
    const file = this.files[number]!;
    const overlaps = this.loader.chooseFile !== undefined && file.isRemote && !describesModel(file.name);
    const most = overlaps ? maxDownloads : 1;
    while (this.running.size >= most) await Promise.race(this.running);
    this.openUntil(number);
    const source = await this.opening[number]!;
    this.sizes[number] ??= source.size;
    this.begun = number + 1;
    // Heads are read in the order of the files, so that the result does not depend on the speed of downloads.
    await this.lastHead;
    let tellHead!: () => void;
    this.lastHead = new Promise((resolve) => (tellHead = resolve));
    const feeding = this.feed(file.name, source, tellHead)
      .catch((error: unknown) => {
        this.failure ??= inFile(error, file.name, number, this.files.length);
        this.stopping.abort();
      })
      .finally(() => {
        tellHead();
        this.running.delete(feeding);
        return source.close();
      });
    this.running.add(feeding);
  }

  /** Returns the size of all files, once they were fed. */
  async end(): Promise<number> {
    await Promise.all(this.running);
    if (this.failure !== undefined) throw this.failure;
    return this.loaded;
  }

  /** After this nothing is fed, and all files are closed. */
  async stop(reason?: unknown): Promise<void> {
    this.stopping.abort(reason);
    await Promise.all(this.running);
    const unused = this.opening.slice(this.begun);
    await Promise.all(
      unused.map((source) =>
        source.then(
          (opened) => opened.close(),
          () => {},
        ),
      ),
    );
  }

  /** Opens a file and those after it that describe the model, and the first one with tensors. */
  private openUntil(number: number): void {
    const { files, opening } = this;
    while (opening.length < Math.min(files.length, number + filesAhead)) {
      if (opening.length > number && !describesModel(files[opening.length - 1]!.name)) return;
      const source = open(files[opening.length]!, this.watch.signal);
      // A failure is reported when the file is due.
      source.catch(() => {});
      opening.push(source);
    }
  }

  private async feed(name: string, source: ByteSource, tellHead: () => void): Promise<void> {
    const { engine, loader } = this;
    const { signal } = this.stopping;
    throwIfAborted(signal);
    if (isTemplateFile(name)) {
      const template = await (await templateFile()).readTemplate(source, name);
      this.templates[template.name] = template.text;
      this.loaded += template.bytes;
      return;
    }
    const number = this.loaderFiles++;
    engine.run(() => unwrap(loader.beginFile(name, totalOf(source))));
    const heads = loader.headersRead?.() ?? 0;
    const taker = {
      window: (bytes: number) => loader.window(bytes),
      feed(bytes: number) {
        loader.chooseFile?.(number);
        return loader.feed(bytes);
      },
    };
    let fed = 0;
    const onBytes = (bytes: number) => {
      this.loaded += bytes - fed;
      fed = bytes;
      if ((loader.headersRead?.() ?? 0) > heads) tellHead();
      const { loaded } = this;
      const total = sumOf(this.sizes);
      this.watch.onProgress?.({ stage: 'download', loaded, ...(total === undefined ? {} : { total }) });
    };
    await feedAll(engine, taker, source, { signal, onBytes });
    engine.run(() => {
      loader.chooseFile?.(number);
      unwrap(loader.endFile());
    });
  }
}
