// Code that must not compile: every line that ends in `// refused`, and no other.
import {
  capabilities,
  chunkText,
  compileGrammar,
  convert,
  Embedder,
  ImageClassifier,
  ImageEmbedder,
  inspect,
  modelCache,
  type QuintetError,
  Reranker,
  SearchIndex,
  type StandardSchema,
  TextGenerator,
  Tokenizer,
} from 'quintet';
import {
  fromFloat32,
  openSafetensors,
  readSafetensors,
  safetensorsStream,
  writeSafetensors,
} from 'quintet/safetensors';

declare const standard: StandardSchema<unknown, { since: number }>;

export async function everything(
  embedder: Embedder,
  generator: TextGenerator,
  classifier: ImageClassifier,
  seeing: ImageEmbedder,
  tokenizer: Tokenizer,
  error: QuintetError,
): Promise<void> {
  new Embedder(); // refused
  await Embedder.load(7); // refused
  await Embedder.load('a', { thread: 1 }); // refused
  await Embedder.load('a', { variant: 'fast' }); // refused
  await Embedder.load('a', { threads: 'all' }); // refused
  await Embedder.load('a', { memory64: 'auto' }); // refused
  await Embedder.load('a', { quantize: 'int4' }); // refused
  await Embedder.load('a', { cache: 7 }); // refused
  await Embedder.load('a', { worker: 'auto' }); // refused
  await Embedder.load('a', { kvCache: 'f16' }); // refused
  const kept: string[] = await modelCache.list(); // refused
  capabilities().threads.toFixed(); // refused
  embedder.info.runtime.thread; // refused
  embedder.info.runtime.fallbacks[0]?.includes('worker'); // refused
  (await inspect('a')).runtime; // refused
  (await inspect('a')).tensors[0]?.blockSize; // refused
  const one: Float32Array[] = await embedder.embed('a'); // refused
  const many: Float32Array = await embedder.embed(['a']); // refused
  await embedder.embed(7); // refused
  await embedder.embed('a', { pooling: 'sum' }); // refused
  embedder.dimension = 3; // refused
  new Reranker(); // refused
  await Reranker.load('a', { attentionHeads: 4 }); // refused
  await Reranker.load('a', { quantize: 'int4' }); // refused
  new SearchIndex({ storage: 'f32' }); // refused
  new SearchIndex({ dimension: 3 }).add('a', new Float32Array(3)); // refused
  new SearchIndex({ dimension: 3 }).add({ id: 'a', vector: [1, 2, 3] }); // refused
  new SearchIndex({ dimension: 3 }).add({ id: true, text: 'a' }); // refused
  new SearchIndex<number>({ dimension: 3 }).add({ id: 1, text: 'a', payload: 'a' }); // refused
  new SearchIndex({ dimension: 3 }).nearest('a'); // refused
  await new SearchIndex({ embedder }).search(new Float32Array(3)); // refused
  await new SearchIndex<number>({ embedder }).search('a', { filter: (payload: string) => payload !== '' }); // refused
  await new SearchIndex({ embedder }).addTexts(['a']); // refused
  void SearchIndex.merge('a.index'); // refused
  chunkText('a', { maxTokens: 3 }); // refused
  chunkText('a', { maxTokens: 3, countTokens: async () => 1 }); // refused
  convert('a', {}); // refused
  convert('a', { to: 'gguf' }); // refused
  convert('a', { to: 'amb', quantize: 'int3' }); // refused
  convert('a', { to: 'amb', scaleType: 'f16' }); // refused
  new TextGenerator(); // refused
  await TextGenerator.load('a', { kvCache: 'f8' }); // refused
  await TextGenerator.load('a', { kv: 'f16' }); // refused
  await TextGenerator.load('a', { attentionHeads: 4 }); // refused
  await TextGenerator.load('a', { memory64: 'yes' }); // refused
  generator.generate(7); // refused
  generator.generate([{ role: 5, content: 'a' }]); // refused
  generator.generate('a', { top_k: 1 }); // refused
  generator.generate('a', { jsonSchema: 'object' }); // refused
  const _typed: { since: string } = await generator.generate('a', { jsonSchema: standard }).json(); // refused
  generator.startChat({ tools: [{ name: 'a', parameters: standard, run: ({ until }) => until }] }); // refused
  generator.startChat({ chat: {} }); // refused
  generator.startChat().send(7); // refused
  await generator.openChat('a', { system: 'b' }); // refused
  generator.generate('a', { logitBias: { five: 1 } }); // refused
  await compileGrammar('root ::= "a"'); // refused
  generator.contextLength = 3; // refused
  generator.createSession().length = 3; // refused
  await generator.createSession().saveCache({ dtype: 'F64' }); // refused
  await generator.createSession().saveCache({ groupSize: 16 }); // refused
  await generator.createSession().loadCache(7); // refused
  await Embedder.load('a', { cache: 7 }); // refused
  await modelCache.delete(); // refused
  new ImageClassifier(); // refused
  await ImageClassifier.load('a', { kind: 'sq4' }); // refused
  await ImageClassifier.load('a', { mean: [1, 2] }); // refused
  await ImageClassifier.load('a', { memory64: true }); // refused
  new ImageEmbedder(); // refused
  await ImageEmbedder.load('a', { towers: 'words' }); // refused
  await ImageEmbedder.load('a', { quantize: 'int4' }); // refused
  await seeing.embedImage('cat.png'); // refused
  await seeing.embedText(7); // refused
  await seeing.embedPixels(new Float32Array(8)); // refused
  await seeing.classify(new Uint8Array(8), 'cat'); // refused
  await seeing.classify(new Uint8Array(8), ['cat'], { labels: [] }); // refused
  seeing.similarity([1], [new Float32Array(1)]); // refused
  new SearchIndex({ embedder: classifier }); // refused
  new Tokenizer(); // refused
  await Tokenizer.load('a', { worker: true }); // refused
  await Tokenizer.load('a', { threads: 1 }); // refused
  tokenizer.encode('a', { addBos: true }); // refused
  await embedder.tokens([1]); // refused
  tokenizer.decode('a'); // refused
  await inspect('a', { threads: 1 }); // refused
  await classifier.classify('cat.png'); // refused
  await classifier.classify(document.body); // refused
  await classifier.classify(new Uint8Array(8), { top: 3 }); // refused
  await classifier.classify({ data: new Uint8Array(8), width: 2, height: 2, channels: 2 }); // refused
  await classifier.logits(new Float32Array(8)); // refused
  await classifier.logits(new Float32Array(8), [2, 4]); // refused
  classifier.inputSize = 3; // refused
  await writeSafetensors([['a', { dtype: 'F33', shape: [1], data: new Uint8Array(4) }]]); // refused
  await writeSafetensors([], { a: 1 }); // refused
  await writeSafetensors({ a: { dtype: 'U8', shape: [1], data: () => new Uint8Array(1) } }); // refused
  safetensorsStream({ a: { dtype: 'U8', shape: [1], data: () => 7 } }); // refused
  await readSafetensors('a', { floats: 'f16' }); // refused
  await openSafetensors('a', { floats: 'bits' }); // refused
  fromFloat32('I32', new Float32Array(1)); // refused
  if (error.code === 'WRONG') return; // refused
  console.log(one, many, kept);
}
