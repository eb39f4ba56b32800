/** Sentence embedder, int8, in the .weights format. */
export declare const embedder: URL;

/** Teller of short stories for children, float32, in the .amb format. */
export declare const storyteller: URL;

/** 461 passages, JSON lines: {"id", "title", "text", "source"}. */
export declare const corpus: URL;

/** 20 questions with the ids of the passages that answer them: [{"query", "relevant"}]. */
export declare const queries: URL;
