// A conversation with its KV cache in one safetensors file, as `quintet chat` saves it: the messages are in its metadata.

import type { ChatMessage, Session } from 'quintet';
import { readSafetensors, writeSafetensors } from 'quintet/safetensors';

const key = 'quintet.messages';

export async function packConversation(messages: readonly ChatMessage[], session: Session): Promise<Uint8Array> {
  const { tensors, metadata } = await readSafetensors(await session.saveCache());
  return writeSafetensors(tensors, { ...metadata, [key]: JSON.stringify(messages) });
}

/** The messages of a file, whose cache the session then has. */
export async function unpackConversation(file: Blob, session: Session): Promise<ChatMessage[]> {
  const { metadata } = await readSafetensors(file);
  const messages = messagesIn(metadata[key]);
  if (!messages) throw new Error('The file has no conversation: it was not saved here, nor by the command quintet chat.');
  await session.loadCache(file);
  return messages;
}

function messagesIn(json: string | undefined): ChatMessage[] | undefined {
  try {
    const messages: unknown = JSON.parse(json ?? '');
    return Array.isArray(messages) && messages.every(isMessage) ? messages : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is ChatMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { role, content, reasoning } = value as Record<string, unknown>;
  return typeof role === 'string' && [content, reasoning].every((text) => text === undefined || typeof text === 'string');
}
