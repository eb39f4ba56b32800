import { inputError } from './errors.js';
import { conversion } from './lazy_parts.js';
import { orderedFiles } from './model_folder.js';
import { callback, checkOptions, integer, iterable, numberBetween, oneOf, plainObject, signal, type Rule } from './options.js';
import type { ConvertOptions, ModelFolder, ModelSource } from './types.js';

const quantizations = [
  'none f16 bf16 int8 int4 int5 int4block int5block adaptive',
  'int8-row int8-group dq8 dq8-symmetric sq8',
].flatMap((names) => names.split(' '));

// Which of them a format takes, and together, native code knows.
const rules: Record<keyof ConvertOptions, Rule> = {
  to: oneOf('amb', 'alt', 'weights', 'safetensors', 'tinyruntime'),
  quantize: oneOf(...quantizations),
  groupSize: integer(0, 65535),
  scaleType: oneOf('fp16', 'fp32'),
  bits: numberBetween(4, 16),
  calibration: iterable,
  observer: oneOf('minmax', 'histogram'),
  metadata: plainObject,
  onProgress: callback,
  signal,
};

/**
 * Writes a model in another format, or quantized. The work begins when the stream is read, goes on as fast as it is
 * read, and ends early when it is cancelled. Files, Blobs, bytes and URLs of servers that answer range requests are read
 * piece by piece, in the order of the output: a conversion takes about the memory of the largest tensor. Streams,
 * responses, iterables and other URLs can be read only once, and are collected in memory first.
 * @throws QuintetError INPUT or UNSUPPORTED for the options; all else comes as the error of the stream
 */
export function convert(source: ModelSource | ModelFolder, options: ConvertOptions): ReadableStream<Uint8Array> {
  checkOptions(options, rules, 'convert');
  if (options?.to === undefined) throw inputError('missing', "convert: option 'to' is missing");
  if (options.calibration && options.quantize !== 'sq8') {
    throw inputError('mismatch', "convert: option 'calibration' goes with quantize: 'sq8' only");
  }
  const files = orderedFiles(source);
  let output: AsyncGenerator<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      output ??= (await conversion()).convertModel(files, options);
      const { done, value } = await output.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await output?.return(undefined);
    },
  });
}
