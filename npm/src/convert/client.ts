// A conversion on the caller's side, which receives pieces of the output and sends calibration images.

import { images } from '#platform/images';

import { throwIfAborted } from '../base/abort.js';
import { requireOption } from '../base/arguments.js';
import { lazyModule } from '../base/lazy_module.js';
import { numberBetween } from '../base/rules.js';
import type { ModelInput } from '../base/types.js';
import { checkOptions, type Rule } from '../base/values.js';
import { pictureOf } from '../images/image_input.js';
import type { ImageInput } from '../images/types.js';
import { adapterReader } from '../sources/adapter_files.js';
import { locate } from '../sources/locate.js';
import type { Reader } from '../sources/types.js';
import type { CallOptions } from '../worker/calls.js';
import { ItemQueue } from '../worker/items.js';
import { SingleCalls } from '../worker/single_calls.js';
import type { AdapterFiles, FilesCalls } from './calls.js';
import type { ConvertOptions, ConvertProgress, MergedAdapter } from './options.js';

const host = lazyModule(() => import('./host.js'), 'startFilesHost');

const calls = new SingleCalls<FilesCalls>({
  script: 'files_worker',
  inThread: async () => (await host()).startFilesHost,
});

/** The parts of a model that a conversion reads. */
export const convertReader: Reader = {
  who: 'convert',
  own: ['.amb', '.alt', '.weights', '.tinyruntime'],
  hasModules: true,
  hasImages: true,
};

const ofAdapter: Record<keyof MergedAdapter, Rule> = {
  adapter: ['a source', () => true],
  scale: numberBetween(-1000, 1000),
};

// Pieces of up to 1 MB: enough that neither side waits for the other.
const piecesAhead = 4;

/** The options for native code. */
export function nativeSettings({
  signal,
  onProgress,
  calibration,
  wasm,
  worker,
  hub,
  merge,
  ...settings
}: ConvertOptions): string {
  return JSON.stringify(settings);
}

/** The bytes of the converted model. */
export async function* convertedPieces(
  source: ModelInput,
  options: ConvertOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { signal, onProgress, calibration = [], merge = [] } = options;
  const files = await locate(source, convertReader, options);
  const adapters: AdapterFiles[] = [];
  for (const each of merge) {
    checkOptions(each, ofAdapter, 'convert: merge');
    requireOption(each, 'adapter', 'convert: merge');
    const { adapter, scale = 1 } = each;
    const parts = await locate(adapter, adapterReader('convert'), options);
    files.push(...parts);
    adapters.push({ count: parts.length, scale });
  }
  const pieces = new ItemQueue<Uint8Array>(piecesAhead);
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  const pictures = picturesOf(calibration);
  const call: CallOptions = {
    signal: ending.signal,
    items: pieces,
    onQuestion: async () => (await pictures.next()).value,
    ...(onProgress && { onEvent: (progress) => onProgress(progress as ConvertProgress) }),
  };
  const running = calls
    .run('convert', [nativeSettings(options), adapters], files, options, call)
    .finally(() => pieces.end());
  running.catch(() => {});
  try {
    for (let piece; (piece = await pieces.next()); ) yield piece;
    await running.catch((error: unknown) => {
      throwIfAborted(signal);
      throw error;
    });
  } finally {
    signal?.removeEventListener('abort', abort);
    pieces.leave();
    ending.abort();
    await running.catch(() => {});
    await pictures.return(undefined);
  }
}

async function* picturesOf(calibration: NonNullable<ConvertOptions['calibration']>) {
  for await (const image of calibration as AsyncIterable<ImageInput>) yield await pictureOf(image, images);
}
