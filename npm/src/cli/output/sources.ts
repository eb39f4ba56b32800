// `-` is stdin; anything else is a path.
import type { ModelSource } from '../../index.js';

/** All of stdin, for input that is needed as a whole. */
export async function stdinBytes(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return new Uint8Array(Buffer.concat(chunks));
}

export function modelSource(argument: string): ModelSource {
  return argument === '-' ? process.stdin : argument;
}
