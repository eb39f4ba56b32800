// Splits a GGUF file as llama.cpp's gguf-split does: the metadata in the first file, tensors in all. Reads it with
// @huggingface/gguf.

import { readFileSync } from 'node:fs';
import { GGMLQuantizationType, gguf } from '@huggingface/gguf';
import { ggufFile, tensorTypes, valueTypes } from './gguf_writer.mjs';

/** Keys of the reader's own. */
const counts = ['version', 'tensor_count', 'kv_count'];

const typed = ([key, { type, subType, value }]) => {
  const of = valueTypes[subType];
  return [key, valueTypes[type], of === undefined ? value : { of, list: value }];
};

function tensorOf({ name, shape, dtype, offset }, file, start) {
  const [type, [, block, blockBytes]] = Object.entries(tensorTypes).find(
    ([known]) => GGMLQuantizationType[known] === dtype,
  );
  const dimensions = shape.map(Number).toReversed();
  const bytes = (dimensions.reduce((product, dimension) => product * dimension, 1) / block) * blockBytes;
  const at = Number(start + offset);
  return { name, type, shape: dimensions, data: file.subarray(at, at + bytes) };
}

/** The content that the writer needs to write the file again: { values, tensors }. */
export async function readGguf(path) {
  const file = new Uint8Array(readFileSync(path));
  const { typedMetadata, tensorInfos, tensorDataOffset } = await gguf(path, {
    allowLocalFile: true,
    typedMetadata: true,
  });
  const values = Object.entries(typedMetadata)
    .filter(([key]) => !counts.includes(key))
    .map(typed);
  return { values, tensors: tensorInfos.map((info) => tensorOf(info, file, tensorDataOffset)) };
}

/**
 * The files of a model. `lists` has the tensors of each; `numbers` replaces `count` and `tensors`, the files'
 * statements about the model as a whole.
 */
export function splitFiles({ values }, lists, numbers = {}) {
  const { count, tensors } = { count: lists.length, tensors: lists.flat().length, ...numbers };
  return lists.map((list, i) => {
    const split = [
      ['split.no', 'uint16', i],
      ['split.count', 'uint16', count],
      ['split.tensors.count', 'int32', tensors],
    ];
    return ggufFile({ values: i === 0 ? [...values, ...split] : split, tensors: list });
  });
}

/** Splits tensors into `count` lists of equal length, or one more in some. */
export const inParts = (tensors, count) =>
  Array.from({ length: count }, (_, i) =>
    tensors.slice(Math.floor((i * tensors.length) / count), Math.floor(((i + 1) * tensors.length) / count)),
  );
