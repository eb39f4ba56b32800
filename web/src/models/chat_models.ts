// The models that pages with a conversation suggest: small, good for their size, and under a permissive license.

import type { NamedModel } from './model_field.js';

export interface ChatModel extends NamedModel {
  /** A description of its abilities. */
  about: string;
  /** Size of the file, as its page on the Hub has it. */
  bytes: number;
  /**
   * A token needs this much of the KV cache: 2 (keys and values) x layers x heads of keys x their width x 2 bytes, from
   * config.json.
   */
  bytesPerToken: number;
  license: string;
}

export const chatModels: readonly ChatModel[] = [
  {
    name: 'SmolLM2 360M',
    source: 'hf:HuggingFaceTB/SmolLM2-360M-Instruct-GGUF:Q8_0',
    about: 'The quickest. Short answers in simple English.',
    bytes: 386e6,
    bytesPerToken: 2 * 32 * 5 * 64 * 2,
    license: 'Apache 2.0',
  },
  {
    name: 'Qwen3 0.6B',
    source: 'hf:Qwen/Qwen3-0.6B-GGUF:Q8_0',
    about: 'Thinks before it answers, calls tools, knows many languages.',
    bytes: 639e6,
    bytesPerToken: 2 * 28 * 8 * 128 * 2,
    license: 'Apache 2.0',
  },
  {
    name: 'Qwen2.5 1.5B',
    source: 'hf:Qwen/Qwen2.5-1.5B-Instruct-GGUF:Q4_K_M',
    about: 'The best answers of the three, and the longest download.',
    bytes: 1117e6,
    bytesPerToken: 2 * 28 * 2 * 128 * 2,
    license: 'Apache 2.0',
  },
];

/** The number of tokens of a conversation that always fit (`contextLength` in docs/generation.md). */
const leastContext = 4096;

/** In bytes: the weights, and the KV cache of the shortest context. */
export const memoryOf = ({ bytes, bytesPerToken }: ChatModel): number => bytes + leastContext * bytesPerToken;

export interface Device {
  /** In bytes. Only some browsers report it, and never more than 8 GB. */
  memory?: number | undefined;
  /** The remaining storage of the site, in bytes. */
  storage?: number | undefined;
  isPhone: boolean;
}

export interface Verdict {
  kind: 'good' | 'warn' | 'bad';
  words: string;
}

/** Half of a device's memory: the rest is for the browser and everything else. */
const share = 0.5;
/** In bytes: more than this makes browsers of phones close the page. */
const phoneLimit = 1e9;

/** Whether a model fits a device. */
export function verdictOn(model: ChatModel, { memory, storage, isPhone }: Device): Verdict {
  const needed = memoryOf(model);
  if (storage !== undefined && storage < model.bytes)
    return { kind: 'bad', words: 'Too large for the storage of this site' };
  if (memory !== undefined && needed > share * memory) return { kind: 'bad', words: 'Too large for this device' };
  if (isPhone && needed > phoneLimit) return { kind: 'warn', words: 'Probably too large for a phone' };
  if (memory !== undefined) return { kind: 'good', words: 'Fits this device' };
  return { kind: 'good', words: isPhone ? 'Should fit this device' : 'Fits most computers' };
}

/** This device, as far as the browser reveals it. */
export async function thisDevice(): Promise<Device> {
  const { deviceMemory, storage } = navigator as Navigator & { deviceMemory?: number; storage?: StorageManager };
  const { quota, usage = 0 } = await (storage?.estimate?.() ?? Promise.resolve({})).catch(
    () => ({}) as StorageEstimate,
  );
  return {
    memory: deviceMemory && deviceMemory * 2 ** 30,
    storage: quota === undefined ? undefined : quota - usage,
    isPhone: matchMedia('(pointer: coarse) and (max-width: 48rem)').matches,
  };
}
