// Models that want a text before their inputs, as their cards say, and whose files often do not contain it.

import type { ModelInfo, ModelInput } from '../base/types.js';
import { isA } from '../base/values.js';
import { isFolder, isList } from '../sources/folder.js';

interface Family {
  /** What the name of the model or of its files has. */
  name: RegExp;
  /** What `info.architecture` may be. */
  architecture: RegExp;
  /** Before queries and before documents. */
  query: string;
  document: string;
}

const families: readonly Family[] = [
  { name: /\be5\b(?!.*instruct)/i, architecture: /^(xlm-roberta|bert)$/, query: 'query: ', document: 'passage: ' },
  { name: /\be5\b.*instruct/i, architecture: /^(xlm-roberta|bert)$/, query: 'Instruct: {task}\\nQuery: ', document: '' },
  { name: /\bnomic-embed/i, architecture: /^nomic[-_]bert$/, query: 'search_query: ', document: 'search_document: ' },
];

/** What is missing from the prompts of a known model: a sentence for `info.warnings`; undefined if nothing is. */
export function missingPrompts(source: ModelInput, info: ModelInfo, prompts: Readonly<Record<string, string>>): string | undefined {
  if (Object.values(prompts).some((prompt) => prompt !== '')) return undefined;
  const names = [...namesOf(source), ...namesIn(info)].join('\n').replaceAll('_', '-');
  const architecture = String(info.architecture ?? 'bert');
  const known = families.find((family) => family.name.test(names) && family.architecture.test(architecture));
  if (!known) return undefined;
  const before = known.document === '' ? '' : ` and '${known.document}' before documents`;
  return `the files contain no prompts, and this model wants '${known.query}' before queries${before}: pass them as 'prompt', or to an index as 'prompts'`;
}

/** The names by which a model was given: of the Hub, of its folder, or of its files. */
function namesOf(source: ModelInput): string[] {
  if (typeof source === 'string' || isA(source, 'URL')) return [String(source).split(/[?#]/)[0]!.split('/').slice(-2).join('/')];
  if (isList(source)) return source.flatMap(namesOf);
  if (isFolder(source)) return Object.values(source).flatMap(namesOf);
  return isA(source, 'File') ? [(source as unknown as File).name] : [];
}

/** The names that the files themselves contain. */
function namesIn({ metadata }: ModelInfo): string[] {
  const named = [metadata['name'], metadata['general.name'], metadata['general.basename']];
  return named.filter((name) => typeof name === 'string');
}
