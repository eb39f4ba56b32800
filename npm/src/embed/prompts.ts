// The texts that models want before their inputs.

import { inputError } from '../base/errors.js';
import type { EmbedderUsage } from './calls.js';
import type { PromptOptions, TextRole } from './options.js';

/**
 * The names that models give to their prompts, in the order of preference of sentence-transformers
 * (https://sbert.net/docs/package_reference/sentence_transformer/SentenceTransformer.html, encode_query and encode_document).
 */
const promptNames: Record<TextRole, readonly string[]> = { query: ['query'], document: ['document', 'passage', 'corpus'] };

type Prompts = Readonly<Record<string, string>>;

/** The model's own prompt for a role; undefined if it has none. */
export function rolePrompt(prompts: Prompts, role: TextRole): string | undefined {
  const name = promptNames[role].find((each) => Object.hasOwn(prompts, each));
  return name === undefined ? undefined : prompts[name];
}

/** What is put before every text. */
export function promptOf({ prompts, defaultPrompt }: EmbedderUsage, options: PromptOptions = {}, caller: string): string {
  const { prompt, promptName, role } = options;
  if (prompt !== undefined && promptName !== undefined) {
    throw inputError('mismatch', `${caller}: 'prompt' and 'promptName' exclude each other`);
  }
  if (prompt !== undefined) return prompt;
  const ofRole = role && promptName === undefined ? rolePrompt(prompts, role) : undefined;
  if (ofRole !== undefined) return ofRole;
  const name = promptName ?? defaultPrompt;
  if (name === undefined) return '';
  if (Object.hasOwn(prompts, name)) return prompts[name]!;
  const names = Object.keys(prompts).join(', ') || 'none';
  throw inputError('unknown_value', `${caller}: the model has no prompt '${name}'; it has ${names}`);
}
