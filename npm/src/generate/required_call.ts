// A grammar for answers that must call a tool.

import { callSchema } from '../chat/answers/call_schemas.js';
import type { AnswerStyle } from '../chat/answers/reader.js';
import type { ToolDefinition } from '../chat/types.js';
import { compileGrammar } from '../grammar/compile_grammar.js';
import { gbnfText, type GrammarText } from '../grammar/source.js';

/** `special`: those of the marks around calls that are special tokens, by their ids. */
export async function requiredCall(
  style: AnswerStyle,
  tools: readonly ToolDefinition[],
  name: string | undefined,
  special: ReadonlyMap<number, string>,
): Promise<GrammarText> {
  const { before, schema, after } = callSchema(style, tools, name);
  const grammar = await compileGrammar({ jsonSchema: schema });
  const call = withoutRoot(grammar.gbnf);
  grammar.close();
  const parts = [...literals(before, special), 'call', ...literals(after, special)];
  return gbnfText(`root ::= ${parts.join(' ')}\n${call}`, 'toolChoice');
}

/** The rule 'root' is called 'call'. Names in literals and sets of characters stay as they are. */
const withoutRoot = (gbnf: string): string =>
  gbnf.replace(/"(?:[^"\\]|\\[^])*"|\[(?:[^\]\\]|\\[^])*\]|[\w-]+/g, (token) => (token === 'root' ? 'call' : token));

/** A text as GBNF, with special tokens by their ids. */
function literals(text: string, special: ReadonlyMap<number, string>): string[] {
  const [id, mark] = [...special].find(([, each]) => text.includes(each)) ?? [];
  if (id === undefined || mark === undefined) return text ? [JSON.stringify(text)] : [];
  const at = text.indexOf(mark);
  return [...literals(text.slice(0, at), special), `<[${id}]>`, ...literals(text.slice(at + mark.length), special)];
}
