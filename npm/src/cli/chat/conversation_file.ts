// A conversation with its KV cache in one safetensors file: the messages are in its metadata.
import { readFile } from 'node:fs/promises';
import type { ChatMessage, Session } from '../../index.js';
import { readSafetensors, safetensorsStream } from '../../safetensors/index.js';
import { UsageError } from '../ending.js';
import { writeAtomically } from '../output/atomic_file.js';

const key = 'quintet.messages';

export async function saveConversation(path: string, messages: readonly ChatMessage[], session: Session): Promise<void> {
  const { tensors, metadata } = await readSafetensors(await session.saveCache());
  await writeAtomically(path, safetensorsStream(tensors, { ...metadata, [key]: JSON.stringify(messages) }));
}

/** The messages of the file, whose cache the session then has. */
export async function loadConversation(path: string, session: Session): Promise<ChatMessage[]> {
  const bytes = new Uint8Array(await readFile(path));
  const { metadata } = await readSafetensors(bytes);
  const messages = messagesIn(metadata[key]);
  if (!messages) throw new UsageError(`${path} has no conversation: it was not saved by 'quintet chat'`);
  await session.loadCache(bytes);
  return messages;
}

function messagesIn(json: string | undefined): ChatMessage[] | undefined {
  try {
    const messages: unknown = JSON.parse(json ?? '');
    return Array.isArray(messages) ? messages : undefined;
  } catch {
    return undefined;
  }
}
