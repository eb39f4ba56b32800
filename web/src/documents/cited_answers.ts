import type { Embedder, GenerateOptions, GeneratorLoadOptions, IndexReranker, ModelSource } from 'quintet';
import { SearchIndex, TextGenerator } from 'quintet';

export type Passage = { title: string; text: string; source: string };

/** `source`: hf:OWNER/NAME, a URL, a File, … */
export const loadModel = (source: ModelSource, options?: GeneratorLoadOptions) => TextGenerator.load(source, options);

/** Found by meaning and by words. `await index.addTexts([{ id, text, payload }])` embeds and adds passages. */
export const newIndex = (embedder: Embedder, reranker: IndexReranker) =>
  new SearchIndex<Passage>({ embedder, reranker });

/** Every sentence of an answer ends with the number of its passage, such as [2]. */
const cited = (count: number) => `root ::= sentence (" " sentence){0,4}
sentence ::= ([^.!?\\[\\]\\n] | "." [0-9]){8,400} [.!?] " [" [1-${count}] "]"`;

const system = 'Answer the question from the numbered passages only, briefly, in whole sentences.';

/** The text of the answer, piece by piece. */
export async function* answer(
  model: TextGenerator,
  question: string,
  passages: readonly Passage[],
  { template, ...options }: GenerateOptions & { template?: string | undefined },
) {
  const listed = passages.map(({ title, text }, i) => `[${i + 1}] ${title}\n${text}`).join('\n\n');
  const chat = model.startChat({ system, ...(template && { template }) });
  const grammar = cited(passages.length);
  try {
    for await (const { text } of chat.send(`${listed}\n\nQuestion: ${question}`, { ...options, grammar })) yield text;
  } finally {
    chat.close();
  }
}
