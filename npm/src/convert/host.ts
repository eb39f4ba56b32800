// All functions on files in the thread of their engine.

import { abortable } from '../base/abort.js';
import { lazyModule } from '../base/lazy_module.js';
import { InspectHost } from '../inspect/host.js';
import type { CallContext, LoadHost } from '../worker/calls.js';
import type { SingleHostOptions } from '../worker/single_calls.js';
import type { AdapterFiles, FilesCalls } from './calls.js';

/** Loaded with the first conversion, so that those who only read files do not download it. */
const conversion = lazyModule(() => import('./conversion.js'), 'Conversion');

export const startFilesHost: LoadHost<FilesCalls, object, SingleHostOptions> = async (_files, { wasm }) =>
  new FilesHost(wasm);

class FilesHost extends InspectHost implements FilesCalls {
  async convert(watch: CallContext, settings: string, adapters: readonly AdapterFiles[]): Promise<void> {
    const [engine, { Conversion }] = await abortable(Promise.all([this.engine(undefined), conversion()]), watch.signal);
    await new Conversion(engine, settings, watch).run(adapters);
  }
}
