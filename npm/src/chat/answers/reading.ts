// Reads tool calls in every format.

import type { ToolCall, ToolDefinition } from '../types.js';

export interface CallReading {
  tools: readonly ToolDefinition[];
  /** Integers that a number cannot hold become bigint. */
  exact: boolean;
}

/** The calls in a text; undefined if they cannot be read, an empty list if it is not a call. */
export type ReadCalls = (text: string, reading: CallReading) => ToolCall[] | undefined;
