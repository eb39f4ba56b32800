// The types of conversations.

/** A message of a conversation. Other members are passed to the chat template unchanged. */
export interface ChatMessage {
  /**
   * 'developer' counts as 'system' for models without it. The chat template of a model may have other roles; the
   * built-in ones do not.
   */
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | (string & {});
  /** May be left out of a message of the assistant that only calls tools. */
  content?: string;
  /** The name of the tool; for messages with role 'tool'. */
  name?: string;
  /** The tool calls that the assistant made; for messages with role 'assistant'. */
  toolCalls?: ToolCall[];
  /** The `id` of the tool call that this message answers; for messages with role 'tool'. */
  toolCallId?: string;
  /**
   * The assistant's reasoning before its answer; for messages with role 'assistant'. Most chat templates leave out
   * earlier thoughts.
   */
  reasoning?: string;
}

/** A tool call that the model made. Nothing is executed. */
export interface ToolCall {
  id?: string;
  name: string;
  arguments: Record<string, unknown>;
}

/**
 * A piece of an answer as it is written: of its text, of the model's reasoning, or of a tool call. Pieces of one type,
 * and of one call, come in the order of the answer.
 */
export type AnswerPart = { type: 'text' | 'reasoning'; text: string } | ToolCallPart;

/** A piece of a tool call. */
export interface ToolCallPart {
  type: 'toolCall';
  /** The number of the call, from 0. */
  index: number;
  /** Only in one part of a call, usually the first, if the model gave it an id. */
  id?: string;
  /** Only in one part of a call, usually the first. */
  name?: string;
  /** The next piece of its arguments as JSON. */
  argumentsText: string;
  /**
   * Discard the earlier parts of this call: it turned out to be text, which follows, or another call at this index
   * follows.
   */
  discarded?: true;
}

/** A tool that the model may call. */
export interface ToolDefinition {
  name: string;
  description?: string;
  /** JSON schema of the arguments. */
  parameters?: object;
}

/** The format of a conversation in the prompt. */
export interface ChatTemplateOptions {
  /**
   * 'llama-2', 'llama-3', 'mistral', 'phi-3', 'chatml', 'gemma', 'zephyr', the name of another template that the model
   * has, or a template in Jinja. Default: the model's own; with `tools`, the one it has for tools.
   */
  template?: string;
  /** Tools that the model may call. */
  tools?: readonly ToolDefinition[];
  /** End with the beginning of the assistant's next message. Default true. */
  addGenerationPrompt?: boolean;
  /**
   * Other variables of the template: enable_thinking, date_string, … Only those named …_token may hold special tokens.
   */
  variables?: Record<string, unknown>;
}

/** Result of `applyChatTemplate`. */
export interface AppliedChatTemplate {
  text: string;
  ids: Int32Array;
}

/** The chat templates of a model, by name, and its special tokens: bos_token, … */
export interface ChatDescription {
  templates?: Record<string, string>;
  tokens?: Record<string, string>;
}

/** A conversation as formatted by its template. */
export interface FormattedChat {
  text: string;
  /**
   * Positions in UTF-8 at which the text changes from the template's to that of messages and back. It begins with the
   * template's.
   */
  originBoundaries: Uint32Array;
}
