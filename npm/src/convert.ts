import { isA, typeName } from './byte_source.js';
import { inputError, unsupported } from './errors.js';
import { inThread } from './in_thread_loader.js';
import { callback, checkOptions, integer, oneOf, plainObject, signal } from './options.js';
import type { ConvertOptions, ModelFolder, ModelSource } from './types.js';

const rules = {
  to: oneOf('amb', 'alt', 'weights', 'safetensors', 'tinyruntime'),
  quantize: oneOf('none', 'f16', 'bf16', 'int8-row', 'int8-group'),
  groupSize: integer(1, 2 ** 31 - 1),
  metadata: plainObject,
  onProgress: callback,
  signal,
};

/**
 * Writes a model in another format, or quantized. The output streams while the input is read; it begins when the
 * stream is read, and ends early when the stream is cancelled.
 * @throws QuintetError INPUT or UNSUPPORTED for the options; all else comes as the error of the stream
 */
export function convert(source: ModelSource | ModelFolder, options: ConvertOptions): ReadableStream<Uint8Array> {
  checkOptions(options, rules, 'convert');
  if (options?.to === undefined) throw inputError('missing', "convert: option 'to' is missing");
  if (options.to !== 'weights') throw unsupported(`convert: this version does not write '${options.to}'`);
  const files = filesOf(source);
  let output: AsyncGenerator<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      output ??= (await inThread()).convertModel(files, options);
      const { done, value } = await output.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await output?.return(undefined);
    },
  });
}

/** The files in the order in which the converter needs them: what describes the tensors comes before them. */
function filesOf(source: ModelSource | ModelFolder): [name: string, file: ModelSource][] {
  if (!isFolder(source)) return [['', source]];
  const files = Object.entries(source);
  if (files.length === 0) throw inputError('missing', 'convert: the folder has no files');
  return files.sort(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

function isFolder(source: ModelSource | ModelFolder): source is ModelFolder {
  if (source === undefined || source === null) {
    throw inputError('wrong_type', `a model cannot come from ${typeName(source)}`);
  }
  return isA(source, 'Object') && !(Symbol.asyncIterator in (source as object));
}

function rankOf(file: string): number {
  if (file.endsWith('.safetensors')) return 2;
  return file === 'config.json' ? 0 : 1;
}
