// Tools whose parameters are a Standard Schema, as chat templates expect them.

import { isStandardSchema, jsonSchemaOf } from '../base/standard_schema.js';
import type { ChatTemplateOptions, ToolDefinition } from './types.js';

/** Converts the parameters of all tools to JSON schemas. */
export function toolsWithJsonSchema(options: ChatTemplateOptions): ChatTemplateOptions {
  const tools: readonly ToolDefinition[] | undefined = options?.tools;
  return Array.isArray(tools) ? { ...options, tools: tools.map(withJsonSchema) } : options;
}

/** A tool may have the form of OpenAI's API: { type: 'function', function: { name, parameters } }. */
function withJsonSchema(tool: ToolDefinition & { function?: ToolDefinition }): ToolDefinition {
  const inner = tool?.function && { function: withJsonSchema(tool.function) };
  const own = isStandardSchema(tool?.parameters) && { parameters: jsonSchemaOf(tool.parameters, 'tools') as object };
  return inner || own ? { ...tool, ...inner, ...own } : tool;
}
