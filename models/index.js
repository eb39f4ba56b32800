// `new URL(…, import.meta.url)` is what bundlers recognise: the files are copied beside the page's own.

/** Sentence embedder, int8, in the .weights format. */
export const embedder = new URL('./embedder-int8.weights', import.meta.url);

/** Tiny story model, float32, in the .amb format. */
export const storyteller = new URL('./stories260k.amb', import.meta.url);

/** Classifier for small pictures, ResNet-20 in 8-bit integers, in the tinyRuntime format. */
export const classifier = new URL('./resnet20-cifar10.bin', import.meta.url);

/** The names of its classes, in order. */
export const classifierLabels = 'airplane automobile bird cat deer dog frog horse ship truck'.split(' ');

/** A drawing of each class, as a PNG file. */
export const pictures = {
  airplane: new URL('./pictures/airplane.png', import.meta.url),
  automobile: new URL('./pictures/automobile.png', import.meta.url),
  bird: new URL('./pictures/bird.png', import.meta.url),
  cat: new URL('./pictures/cat.png', import.meta.url),
  deer: new URL('./pictures/deer.png', import.meta.url),
  dog: new URL('./pictures/dog.png', import.meta.url),
  frog: new URL('./pictures/frog.png', import.meta.url),
  horse: new URL('./pictures/horse.png', import.meta.url),
  ship: new URL('./pictures/ship.png', import.meta.url),
  truck: new URL('./pictures/truck.png', import.meta.url),
};

/** 461 passages as JSON lines: {"id", "title", "text", "source"}. */
export const corpus = new URL('./corpus.jsonl', import.meta.url);

/** 20 questions with the ids of the passages that answer them: [{"query", "relevant"}]. */
export const queries = new URL('./queries.json', import.meta.url);
