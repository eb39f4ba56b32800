// The functions on files in the thread of their engine.

import { abortable } from '../base/abort.js';
import type { LoadProgress, ModelInfo, WasmSource } from '../base/types.js';
import type { RandomAccessSource } from '../bytes/byte_source.js';
import { fetchSeekable } from '../bytes/http_ranges.js';
import type { Engine } from '../engine/engine.js';
import { feedAll, totalOf, using } from '../engine/feed.js';
import { feedWanted } from '../engine/feed_wanted.js';
import { obtainWatched, open } from '../engine/loading.js';
import { parseModelInfo, unwrap, type NativeIntake } from '../engine/native.js';
import type { CallWatch, Host, LoadHost } from '../remote/calls.js';
import type { FilesCalls, FilesHostOptions } from './calls.js';
import { Conversion } from './conversion.js';
import { obtainFilesEngine } from './engine.js';
import type { NativeFilesModule } from './native.js';
import type { TensorValues } from './types.js';

export const startFilesHost: LoadHost<FilesCalls, object, FilesHostOptions> = async (_files, { wasm }) =>
  new FilesHost(wasm);

class FilesHost implements Host<object>, FilesCalls {
  readonly description = {};

  constructor(private readonly wasm: WasmSource | undefined) {}

  async inspect(watch: CallWatch): Promise<ModelInfo> {
    const { value, bytes } = await this.read(watch, true, (native, total, seekable) =>
      new native.Inspector('', total, seekable),
    );
    return parseModelInfo(value, bytes);
  }

  async validate(watch: CallWatch): Promise<ModelInfo> {
    const { value, bytes } = await this.read(watch, false, (native, total) => new native.Validator('', total));
    return parseModelInfo(value, bytes);
  }

  async readTensor(watch: CallWatch, name: string): Promise<TensorValues> {
    const { value } = await this.read(watch, true, (native, total, seekable) =>
      new native.TensorReader('', total, name, seekable),
    );
    return value;
  }

  async convert(watch: CallWatch, settings: string): Promise<void> {
    const engine = await abortable(this.engine(undefined), watch.signal);
    await new Conversion(engine, settings, watch).run();
  }

  /** Engines belong to the thread and are not closed. */
  close(): void {}

  private engine(onProgress: ((progress: LoadProgress) => void) | undefined): Promise<Engine<NativeFilesModule>> {
    const { wasm } = this;
    return obtainWatched((onBytes) => obtainFilesEngine({ wasm, onBytes }), { onProgress });
  }

  /** `partly`: if the source can be read in any order, read only what the reader asks for. */
  private async read<T>(
    { files, signal, onEvent }: CallWatch,
    partly: boolean,
    create: (native: NativeFilesModule, total: number, seekable: boolean) => NativeIntake<T>,
  ): Promise<{ value: T; bytes: number }> {
    const onProgress = onEvent && ((progress: LoadProgress) => onEvent(progress));
    const obtaining = this.engine(onProgress);
    obtaining.catch(() => {});
    const source = await open({ open: (stop) => files[0]!.open(stop, partly ? fetchSeekable : undefined) }, signal);
    const seekable = partly && source.readAt !== undefined;
    // How much of a file is read in part is not known in advance.
    const total = seekable || source.size === undefined ? {} : { total: source.size };
    const onBytes = (loaded: number) => onProgress?.({ stage: 'download', loaded, ...total });
    try {
      const engine = await abortable(obtaining, signal);
      const start = () => engine.run((native) => create(native, totalOf(source), seekable));
      return await using(engine, start, async (intake) => {
        const bytes = seekable
          ? await feedWanted(engine, intake, source as RandomAccessSource, { signal, onBytes })
          : await feedAll(engine, intake, source, { signal, onBytes });
        return { value: engine.run(() => unwrap(intake.finish())), bytes };
      });
    } finally {
      await source.close();
    }
  }
}
