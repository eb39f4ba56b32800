// A chat model for tests: a small GGUF file of the fixtures with a chat template, and room for a conversation.
import { readFileSync } from 'node:fs';

export const chatml =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' }}{% endfor %}";

const bytesOf = (text) => [Buffer.from(BigUint64Array.of(BigInt(Buffer.byteLength(text))).buffer), Buffer.from(text)];

/** A GGUF file with one more pair of metadata, padded so that everything after it keeps its alignment of 32. */
export function withChatTemplate(path, template = chatml) {
  const file = readFileSync(path);
  const pair = (value) =>
    Buffer.concat([...bytesOf('tokenizer.chat_template'), Buffer.of(8, 0, 0, 0), ...bytesOf(value)]);
  const padding = -pair(template).length & 31;
  const head = Buffer.from(file.subarray(0, 24));
  head.writeBigUInt64LE(head.readBigUInt64LE(16) + 1n, 16);
  return Buffer.concat([head, pair(template + ' '.repeat(padding)), file.subarray(24)]);
}

/** A GGUF file whose `ARCHITECTURE.context_length` is another one. */
export function withContextLength(file, length) {
  const changed = Buffer.from(file);
  const key = '.context_length';
  const type = changed.indexOf(key) + key.length;
  if (type < key.length || changed.readUInt32LE(type) !== 4) throw new Error('no context length as uint32');
  changed.writeUInt32LE(length, type + 4);
  return changed;
}
