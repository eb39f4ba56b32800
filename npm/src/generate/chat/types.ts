// The types of chats.
/// <reference lib="esnext.disposable" preserve="true" />

import type { StandardOutput, StandardSchema } from '../../base/standard_schema.js';
import type { ChatMessage, ToolCall, ToolDefinition } from '../../chat/types.js';
import type { GenerateOptions, Generation } from '../types.js';

/** The arguments that a tool gets: as its Standard Schema returns them, or as the model wrote them. */
// biome-ignore lint/suspicious/noExplicitAny: the function of a tool declares what it takes
export type ToolArguments<Parameters> = Parameters extends StandardSchema ? StandardOutput<Parameters> : any;

/** A tool of a chat. `Parameters` is a JSON schema or a Standard Schema. */
export interface ChatTool<Parameters = unknown> extends Omit<ToolDefinition, 'parameters'> {
  /** JSON schema or Standard Schema of the arguments. A Standard Schema also validates them. */
  parameters?: Parameters;
  /**
   * Called when the model calls the tool. Its result, or that of its promise, is the answer: a string as it is,
   * anything else as JSON. If it throws, the model gets `error: ` and the message of the error.
   */
  run?(args: ToolArguments<Parameters>, context: ToolContext): unknown;
}

/** The second argument of a tool's `run`. */
export interface ToolContext {
  /** The call, as the model wrote it. */
  call: ToolCall;
  /** Aborted together with the answer: by the caller, or because reading stopped. */
  signal: AbortSignal;
}

/** Options of `startChat`. Those of `generate` apply to every answer, unless `send` overrides them. */
export interface ChatOptions<Tools extends readonly unknown[] = readonly unknown[]>
  extends Omit<GenerateOptions, 'chat'> {
  /** The first message, of role 'system'. */
  system?: string;
  /** Earlier messages. */
  messages?: readonly ChatMessage[];
  /** Tools that the model may call. */
  tools?: { readonly [Index in keyof Tools]: ChatTool<Tools[Index]> };
  /**
   * The number of times in a row that the model may call tools; after that, calls are left to the caller. Default 8.
   */
  maxRounds?: number;
  /** As in `ChatTemplateOptions`. */
  template?: string;
  /** As in `ChatTemplateOptions`. */
  variables?: Record<string, unknown>;
}

/** The argument of `send`: a message of the user, any message, or several, such as the answers of tools. */
export type SentMessages = string | ChatMessage | readonly ChatMessage[];

/**
 * A conversation with a model: its messages, and a session that keeps what was computed for them. Answers are generated
 * one at a time, in order.
 */
export interface Chat {
  /** All messages up to the last completed answer, the one of role 'system' included. */
  readonly messages: readonly ChatMessage[];
  /** Number of tokens that the session holds, of at most `contextLength`. */
  readonly length: number;
  /**
   * Adds a message and has the model answer. Tools that have `run` are called, and the answer continues with what they
   * return: the generation has the text of all rounds, and `finished` adds them up. The messages are added when the
   * generation ends. An abort while text comes, and a reader who stops, keep what there is of the answer; an abort
   * before that or while a tool runs, and a failure, leave the chat as it was. Invalid arguments do not throw here:
   * reading the result rejects with INPUT.
   */
  send<S extends StandardSchema>(
    message: SentMessages,
    options: GenerateOptions & { jsonSchema: S },
  ): Generation<StandardOutput<S>>;
  send<T = unknown>(message: SentMessages, options?: GenerateOptions): Generation<T>;
  /** Answers the last message of the user again, replacing what followed it. Otherwise like `send`. */
  regenerate<S extends StandardSchema>(options: GenerateOptions & { jsonSchema: S }): Generation<StandardOutput<S>>;
  regenerate<T = unknown>(options?: GenerateOptions): Generation<T>;
  /**
   * A second chat with the first `index` messages, which shares what was computed for them.
   * @throws QuintetError INPUT unless `index` is from 0 to the number of messages; CLOSED
   */
  branch(index: number): Chat;
  /**
   * The messages and the KV cache as a safetensors file, which `openChat` and `quintet chat --load` open.
   * @throws QuintetError UNSUPPORTED for a model whose cache cannot be saved; MEMORY, CLOSED
   */
  save(): Promise<Uint8Array>;
  /** Frees the session. Pending and later calls fail with CLOSED. */
  close(): void;
  readonly [Symbol.dispose]: () => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}
