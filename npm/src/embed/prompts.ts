// The texts that models want before their inputs.

import type { TextRole } from './options.js';

/**
 * The names that models give to their prompts, in the order of preference of sentence-transformers
 * (https://sbert.net/docs/package_reference/sentence_transformer/SentenceTransformer.html, encode_query and
 * encode_document).
 */
const promptNames: Record<TextRole, readonly string[]> = {
  query: ['query'],
  document: ['document', 'passage', 'corpus'],
};

type Prompts = Readonly<Record<string, string>>;

/** The model's own prompt for a role; undefined if it has none. */
export function rolePrompt(prompts: Prompts, role: TextRole): string | undefined {
  const name = promptNames[role].find((each) => Object.hasOwn(prompts, each));
  return name === undefined ? undefined : prompts[name];
}
