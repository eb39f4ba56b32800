// Bundlers recognise `new URL(…, import.meta.url)` and copy the files to the page's own.

/** Sentence embedder, int8, in the .weights format. */
export const embedder = new URL('./embedder-int8.weights', import.meta.url);

/** Tiny story model, float32, in the .amb format. */
export const storyteller = new URL('./stories260k.amb', import.meta.url);

/**
 * Image classifier, MobileNetV2 for the 1000 classes of ImageNet, int8, in the safetensors format. It holds its labels.
 */
export const classifier = new URL('./mobilenet_v2_imagenet.safetensors', import.meta.url);

/** Photographs to classify, as JPEG files. */
export const pictures = {
  bird: new URL('./pictures/bird.jpg', import.meta.url),
  cat: new URL('./pictures/cat.jpg', import.meta.url),
  dragonfly: new URL('./pictures/dragonfly.jpg', import.meta.url),
  hotdog: new URL('./pictures/hotdog.jpg', import.meta.url),
  owl: new URL('./pictures/owl.jpg', import.meta.url),
  parrot: new URL('./pictures/parrot.jpg', import.meta.url),
  sunflower: new URL('./pictures/sunflower.jpg', import.meta.url),
};

/** Static word embeddings, int8, a folder of model2vec: its files by name. */
export const words = {
  'config.json': new URL('./words/config.json', import.meta.url),
  'model.safetensors': new URL('./words/model.safetensors', import.meta.url),
  'tokenizer.json': new URL('./words/tokenizer.json', import.meta.url),
};

/** 461 passages as JSON lines: {"id", "title", "text", "source"}. */
export const corpus = new URL('./corpus.jsonl', import.meta.url);

/** 20 questions with the ids of the passages that answer them: [{"query", "relevant"}]. */
export const queries = new URL('./queries.json', import.meta.url);
