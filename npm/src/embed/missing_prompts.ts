// Models that expect a prompt before their inputs, according to their cards, but whose files often do not contain it.

interface Family {
  /** A part of the name of the model or of its files. */
  name: RegExp;
  /** Values of `info.architecture`. */
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
 * The prompts that a known model lacks: a sentence for `info.warnings`; undefined if nothing is.
 * @param names those of the model and of its files
 */
export function missingPrompts(names: string, architecture: unknown): string | undefined {
  const written = names.replaceAll('_', '-');
  const known = families.find(
    ({ name, architecture: ofFamily }) => name.test(written) && ofFamily.test(String(architecture ?? 'bert')),
  );
  if (!known) return undefined;
  const before = known.document === '' ? '' : ` and '${known.document}' before documents`;
  return `the files contain no prompts, and this model expects '${known.query}' before queries${before}: pass them as 'prompt', or to an index as 'prompts'`;
}
