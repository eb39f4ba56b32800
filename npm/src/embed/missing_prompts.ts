// Models that want a text before their inputs, as their cards say, and whose files often do not contain it.

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
  {
    name: /\be5\b.*instruct/i,
    architecture: /^(xlm-roberta|bert)$/,
    query: 'Instruct: {task}\\nQuery: ',
    document: '',
  },
  { name: /\bnomic-embed/i, architecture: /^nomic[-_]bert$/, query: 'search_query: ', document: 'search_document: ' },
];

/**
 * What is missing from the prompts of a known model without any: a sentence for `info.warnings`; undefined if nothing is.
 * @param names those of the model and of its files
 */
export function missingPrompts(names: string, architecture: unknown): string | undefined {
  const written = names.replaceAll('_', '-');
  const known = families.find(
    ({ name, architecture: ofFamily }) => name.test(written) && ofFamily.test(String(architecture ?? 'bert')),
  );
  if (!known) return undefined;
  const before = known.document === '' ? '' : ` and '${known.document}' before documents`;
  return `the files contain no prompts, and this model wants '${known.query}' before queries${before}: pass them as 'prompt', or to an index as 'prompts'`;
}
