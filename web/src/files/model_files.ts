import { convert, inspect, readTensor, validate } from 'quintet';
import type { ConvertOptions, ModelFolder, ReadOptions } from 'quintet';

/** Format, metadata, configuration and tensors. Does not read the weights. */
export const describe = (file: File, options?: ReadOptions) => inspect(file, options);

/** Reads every byte. Throws a QuintetError that says where the file is wrong. */
export const check = (file: File, options?: ReadOptions) => validate(file, options);

/** The values of one tensor as float32, however they are stored. */
export const valuesOf = (file: File, tensor: string, options?: ReadOptions) =>
  readTensor(file, tensor, options);

/**
 * Converts while it reads and writes, so the model may be larger than memory.
 * An AbortSignal in `options.signal` cancels it.
 */
export const convertTo = (
  target: WritableStream<Uint8Array>,
  source: File | ModelFolder,
  options: ConvertOptions,
) => convert(source, options).pipeTo(target);
