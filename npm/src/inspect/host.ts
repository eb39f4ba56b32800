// Reads files in the thread of the engine.

import { abortable } from '../base/abort.js';
import type { LoadProgress, ModelInfo, WasmSource } from '../base/types.js';
import { feedAll, open, totalOf, using } from '../engine/load/feed.js';
import { feedWanted } from '../engine/load/feed_wanted.js';
import { obtainWatched } from '../engine/load/loading.js';
import { type NativeReader, parseModelInfo, unwrap } from '../engine/native.js';
import type { Engine } from '../engine/start/engine.js';
import type { RandomAccessSource } from '../sources/bytes/byte_source.js';
import { fetchSeekable } from '../sources/bytes/http_ranges.js';
import type { CallContext, Host, LoadHost } from '../worker/calls.js';
import type { SingleHostOptions } from '../worker/single_calls.js';
import type { InspectCalls } from './calls.js';
import { obtainFilesEngine } from './engine.js';
import type { NativeFilesModule } from './native.js';
import type { TensorValues } from './options.js';

export const startInspectHost: LoadHost<InspectCalls, object, SingleHostOptions> = async (_files, { wasm }) =>
  new InspectHost(wasm);

export class InspectHost implements Host<object>, InspectCalls {
  readonly description = {};

  constructor(private readonly wasm: WasmSource | undefined) {}

  async inspect(watch: CallContext, load: string): Promise<ModelInfo> {
    const { value, bytes } = await this.read(
      watch,
      true,
      (native, total, seekable) => new native.Inspector('', total, seekable, load),
    );
    return parseModelInfo(value, bytes);
  }

  async validate(watch: CallContext): Promise<ModelInfo> {
    const { value, bytes } = await this.read(watch, false, (native, total) => new native.Validator('', total));
    return parseModelInfo(value, bytes);
  }

  async readTensor(watch: CallContext, name: string): Promise<TensorValues> {
    const { value } = await this.read(
      watch,
      true,
      (native, total, seekable) => new native.TensorReader('', total, name, seekable),
    );
    return value;
  }

  /** Engines belong to the thread and are not closed. */
  close(): void {}

  protected engine(onProgress: ((progress: LoadProgress) => void) | undefined): Promise<Engine<NativeFilesModule>> {
    const { wasm } = this;
    return obtainWatched((onBytes) => obtainFilesEngine({ wasm, onBytes }), { onProgress });
  }

  /** `partly`: if the source can be read in any order, read only what the reader asks for. */
  private async read<T>(
    { files, signal, onEvent }: CallContext,
    partly: boolean,
    create: (native: NativeFilesModule, total: number, seekable: boolean) => NativeReader<T>,
  ): Promise<{ value: T; bytes: number }> {
    const onProgress = onEvent && ((progress: LoadProgress) => onEvent(progress));
    const obtaining = this.engine(onProgress);
    obtaining.catch(() => {});
    const source = await open({ open: (stop) => files[0]!.open(stop, partly ? fetchSeekable : undefined) }, signal);
    const seekable = partly && source.readAt !== undefined;
    // The number of bytes to read is not known in advance where only parts of a file are read.
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
