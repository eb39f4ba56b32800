import { requireOption } from '../base/arguments.js';
import { inputError, requireGlobals } from '../base/errors.js';
import { lazyModule } from '../base/lazy_module.js';
import { callback, checkReadOptions, integer, numberBetween, readRules } from '../base/rules.js';
import type { ModelInput } from '../base/types.js';
import { isA, oneOf, type Rule } from '../base/values.js';
import { orderedFiles } from '../sources/folder.js';
import type { ConvertOptions } from './options.js';

const client = lazyModule(() => import('./client.js'), 'convertedPieces', 'AbortController');

const quantizations =
  'none f16 bf16 int8 int4 int5 int4block int5block adaptive int8-row int8-group dq8 dq8-symmetric sq8';

const iterable: Rule = [
  'an iterable',
  (value) => typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value),
];
/** An object literal that can be written as JSON. */
const plainObject: Rule = ['a plain object', (value) => isA(value, 'Object') && isJson(value)];

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

// Native code checks which options a format supports, and in which combinations.
const rules: Record<keyof ConvertOptions, Rule> = {
  ...readRules,
  to: oneOf('amb', 'alt', 'weights', 'safetensors', 'tinyruntime'),
  quantize: oneOf(...quantizations.split(' ')),
  groupSize: integer(0, 65535),
  scaleType: oneOf('fp16', 'fp32'),
  bits: numberBetween(4, 16),
  calibration: iterable,
  observer: oneOf('minmax', 'histogram'),
  merge: ['an array', Array.isArray],
  metadata: plainObject,
  onProgress: callback,
};

/**
 * Converts a model to another format or quantization. The returned stream produces the bytes of the new file while it
 * is read; canceling it stops the conversion. Files, Blobs, bytes and URLs whose server supports range requests are
 * read piece by piece, so a conversion needs about the memory of the largest tensor. Streams, responses, iterables and
 * other URLs can be read only once and are collected in memory first.
 * @throws QuintetError INPUT or UNSUPPORTED for the options; all other failures are errors of the stream
 */
export function convert(source: ModelInput, options: ConvertOptions): ReadableStream<Uint8Array> {
  requireGlobals('ReadableStream');
  checkReadOptions(options, 'convert', rules);
  requireOption(options, 'to', 'convert');
  if (options.calibration && options.quantize !== 'sq8') {
    throw inputError('mismatch', "convert: option 'calibration' needs quantize: 'sq8'");
  }
  // Throws for an invalid source.
  orderedFiles(source);
  let pieces: AsyncGenerator<Uint8Array, void, undefined> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pieces ??= (await client()).convertedPieces(source, options);
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces?.return(undefined);
      },
    },
    // Nothing starts before the stream is read.
    { highWaterMark: 0 },
  );
}
