// Answers that must call a tool: their grammar.

import { inputError, unsupported } from '../../base/errors.js';
import { isA, shown } from '../../base/values.js';
import { textOf } from '../../chat/answers/call_grammars.js';
import * as grammars from '../../chat/answers/grammars.js';
import type { AnswerStyle } from '../../chat/answers/style.js';
import { definitionOf } from '../../chat/conversation.js';
import type { ToolDefinition } from '../../chat/types.js';
import { type GrammarText, schemaText } from '../../grammar/source.js';
import type { Conversation } from '../options.js';

/**
 * The tools of which the answer must call one; undefined if it need not. `constrained`: a grammar or schema determines
 * the answer.
 */
export function forcedTools(
  { options, toolChoice: choice }: Conversation,
  constrained: boolean,
): readonly ToolDefinition[] | undefined {
  if (choice === undefined) return undefined;
  const isName = isA(choice, 'Object') && typeof (choice as { name?: unknown }).name === 'string';
  if (!isName && !['auto', 'none', 'required'].includes(choice as string)) {
    throw inputError(
      'out_of_range',
      `generate: option 'toolChoice' must be 'auto', 'none', 'required' or { name }, not ${shown(choice)}`,
    );
  }
  if (!options.tools) throw inputError('mismatch', "generate: option 'toolChoice' needs tools in 'chat'");
  if (choice === 'auto' || choice === 'none') return undefined;
  if (constrained)
    throw inputError('used', 'generate: toolChoice cannot force a call together with grammar or jsonSchema');
  // Tools in a template's own form may have no name.
  const tools = options.tools.map(definitionOf).filter(({ name }) => typeof name === 'string');
  const chosen = choice === 'required' ? tools : tools.filter(({ name }) => name === choice.name);
  if (chosen.length > 0) return chosen;
  throw inputError(
    'unknown_value',
    `generate: toolChoice ${choice === 'required' ? "'required'" : `'${choice.name}'`}, but chat.tools has no such tool`,
  );
}

/**
 * One call of one of the tools, as the model writes it, after the end of `thoughts` if they have begun. `special`:
 * texts of special tokens, by their ids.
 */
export function grammarOfCall(
  tools: readonly ToolDefinition[],
  { calls: format, thoughts }: AnswerStyle,
  special: ReadonlyMap<number, string>,
): GrammarText {
  if (!format?.grammar) {
    throw unsupported('generate: toolChoice cannot constrain a model whose chat template has no tools');
  }
  const marker = (text: string) => {
    const [id] = [...special].find(([, written]) => written === text) ?? [];
    return id === undefined ? textOf(text) : `<[${id}]>`;
  };
  const [before, after] = thoughts?.aroundEnd ?? ['', ''];
  const { gbnf, schemas, python } = format.grammar(grammars)(tools, marker, format.begin, format.end ?? '');
  return {
    kind: 'gbnf',
    text: thoughts
      ? gbnf.replace('root ::=', () => `root ::= ${textOf(before)} ${marker(thoughts.end)} ${textOf(after)}`)
      : gbnf,
    schemas: schemas.map((schema) => schemaText(schema, 'generate').text),
    ...(python && { python }),
  };
}
