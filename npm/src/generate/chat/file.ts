// A chat in one safetensors file: the KV cache, with the messages in its metadata.

import { inputError } from '../../base/errors.js';
import { parseExactly } from '../../base/exact_json.js';
import { jsonText } from '../../base/json_text.js';
import { lazyModule } from '../../base/lazy_module.js';
import type { ModelSource } from '../../base/types.js';
import { isA } from '../../base/values.js';
import type { ChatMessage } from '../../chat/types.js';
import { openSource } from '../../sources/open_source.js';
import type { Session } from '../types.js';
import { settingsOf } from './options.js';
import type { ChatOptions } from './types.js';

const safetensors = lazyModule(() => import('../../safetensors/index.js'), 'readSafetensors');

const messagesKey = 'quintet.messages';

export async function saveChat(session: Session, messages: readonly ChatMessage[]): Promise<Uint8Array> {
  const { readSafetensors, writeSafetensors } = await safetensors();
  const { tensors, metadata } = await readSafetensors(await session.saveCache());
  return writeSafetensors(tensors, { ...metadata, [messagesKey]: jsonText(messages) });
}

/** Loads the cache of the file into the session, and returns the messages. Closes the session if that fails. */
export async function loadChat(session: Session, options: ChatOptions, source: ModelSource): Promise<ChatMessage[]> {
  try {
    settingsOf(options, {});
    if (options.system ?? options.messages)
      throw inputError('mismatch', 'openChat: the messages are those of the file');
    return await messagesOf(session, source);
  } catch (error) {
    session.close();
    throw error;
  }
}

async function messagesOf(session: Session, source: ModelSource): Promise<ChatMessage[]> {
  const file = await blobOf(source);
  const { openSafetensors } = await safetensors();
  const opened = await openSafetensors(file);
  await opened.close();
  const messages = messagesIn(opened.metadata[messagesKey]);
  if (!messages) throw inputError('mismatch', 'openChat: the file has no conversation: it was not saved by a chat');
  await session.loadCache(file);
  return messages;
}

/** It is read twice. */
async function blobOf(source: ModelSource): Promise<Blob> {
  const opened = await openSource(source);
  try {
    const chunks: BlobPart[] = [];
    for (let chunk; (chunk = await opened.read()); ) chunks.push(new Blob([chunk as Uint8Array<ArrayBuffer>]));
    return new Blob(chunks);
  } finally {
    await opened.close();
  }
}

function messagesIn(json: string | undefined): ChatMessage[] | undefined {
  try {
    const messages = parseExactly(json ?? '');
    return Array.isArray(messages) &&
      messages.every((message) => isA(message, 'Object') && typeof message.role === 'string')
      ? messages
      : undefined;
  } catch {
    return undefined;
  }
}
