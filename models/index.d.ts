/** Sentence embedder, int8, in the .weights format. */
export declare const embedder: URL;

/** Tiny story model, float32, in the .amb format. */
export declare const storyteller: URL;

/** Classifier for small pictures, ResNet-20 in 8-bit integers, in the tinyRuntime format. */
export declare const classifier: URL;

/** The names of its classes, in order. */
export declare const classifierLabels: readonly string[];

/** A drawing of each class, as a PNG file. */
export declare const pictures: Readonly<
  Record<'airplane' | 'automobile' | 'bird' | 'cat' | 'deer' | 'dog' | 'frog' | 'horse' | 'ship' | 'truck', URL>
>;

/** 461 passages as JSON lines: {"id", "title", "text", "source"}. */
export declare const corpus: URL;

/** 20 questions with the ids of the passages that answer them: [{"query", "relevant"}]. */
export declare const queries: URL;
