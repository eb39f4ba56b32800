/** Sentence embedder, int8, in the .weights format. */
export declare const embedder: URL;

/** Tiny story model, float32, in the .amb format. */
export declare const storyteller: URL;

/**
 * Image classifier, MobileNetV2 for the 1000 classes of ImageNet, int8, in the safetensors format. It holds its labels.
 */
export declare const classifier: URL;

/** Photographs to classify, as JPEG files. */
export declare const pictures: Readonly<
  Record<'bird' | 'cat' | 'dragonfly' | 'hotdog' | 'owl' | 'parrot' | 'sunflower', URL>
>;

/** Static word embeddings, int8, a folder of model2vec: its files by name. */
export declare const words: Readonly<Record<'config.json' | 'model.safetensors' | 'tokenizer.json', URL>>;

/** 461 passages as JSON lines: {"id", "title", "text", "source"}. */
export declare const corpus: URL;

/** 20 questions with the ids of the passages that answer them: [{"query", "relevant"}]. */
export declare const queries: URL;
