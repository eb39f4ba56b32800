// All functions on files in the thread of their engine.

import { abortable } from '../base/abort.js';
import { InspectHost } from '../inspect/host.js';
import type { CallWatch, LoadHost } from '../worker/calls.js';
import type { SingleHostOptions } from '../worker/single_calls.js';
import type { FilesCalls } from './calls.js';
import { Conversion } from './conversion.js';

export const startFilesHost: LoadHost<FilesCalls, object, SingleHostOptions> = async (_files, { wasm }) =>
  new FilesHost(wasm);

class FilesHost extends InspectHost implements FilesCalls {
  async convert(watch: CallWatch, settings: string): Promise<void> {
    const engine = await abortable(this.engine(undefined), watch.signal);
    await new Conversion(engine, settings, watch).run();
  }
}
