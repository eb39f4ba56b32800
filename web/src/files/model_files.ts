import type { ConvertOptions, ModelInput, ModelSource, ReadOptions } from 'quintet';
import { convert, inspect, readTensor, validate } from 'quintet';

/** Format, metadata, configuration and tensors. Does not read the weights. */
export const describe = (file: ModelSource, options?: ReadOptions) => inspect(file, options);

/** Reads every byte. Throws a QuintetError with the place where the file is wrong. */
export const check = (file: ModelSource, options?: ReadOptions) => validate(file, options);

/** The values of one tensor as float32, however they are stored. */
export const valuesOf = (file: ModelSource, tensor: string, options?: ReadOptions) => readTensor(file, tensor, options);

/**
 * Converts while it reads and writes, so the model may be larger than memory.
 * An AbortSignal in `options.signal` cancels it.
 */
export const convertTo = (target: WritableStream<Uint8Array>, source: ModelInput, options: ConvertOptions) =>
  convert(source, options).pipeTo(target);
