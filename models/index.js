// `new URL(…, import.meta.url)` is what bundlers recognise: the files are copied beside the page's own.

/** Sentence embedder, int8, in the .weights format. */
export const embedder = new URL('./embedder-int8.weights', import.meta.url);

/** Teller of short stories for children, float32, in the .amb format. */
export const storyteller = new URL('./stories260k.amb', import.meta.url);

/** 461 passages, JSON lines: {"id", "title", "text", "source"}. */
export const corpus = new URL('./corpus.jsonl', import.meta.url);

/** 20 questions with the ids of the passages that answer them: [{"query", "relevant"}]. */
export const queries = new URL('./queries.json', import.meta.url);
