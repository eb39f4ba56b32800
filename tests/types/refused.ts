// What must not compile: every line that ends in `// refused`, and no other.
import { chunkText, convert, Embedder, QuintetError, SearchIndex } from 'quintet';
import { writeSafetensors } from 'quintet/safetensors';

export async function everything(embedder: Embedder, error: QuintetError): Promise<void> {
  new Embedder(); // refused
  await Embedder.load(7); // refused
  await Embedder.load('a', { thread: 1 }); // refused
  await Embedder.load('a', { variant: 'fast' }); // refused
  const one: Float32Array[] = await embedder.embed('a'); // refused
  const many: Float32Array = await embedder.embed(['a']); // refused
  await embedder.embed(7); // refused
  await embedder.embed('a', { pooling: 'sum' }); // refused
  embedder.dimension = 3; // refused
  new SearchIndex({ storage: 'f32' }); // refused
  new SearchIndex({ dimension: 3 }).add('a', [1, 2, 3]); // refused
  chunkText('a', { maxTokens: 3 }); // refused
  chunkText('a', { maxTokens: 3, countTokens: async () => 1 }); // refused
  convert('a', {}); // refused
  convert('a', { to: 'gguf' }); // refused
  convert('a', { to: 'amb', quantize: 'int3' }); // refused
  convert('a', { to: 'amb', scaleType: 'f16' }); // refused
  await writeSafetensors([['a', { dtype: 'F33', shape: [1], data: new Uint8Array(4) }]]); // refused
  await writeSafetensors([], { a: 1 }); // refused
  if (error.code === 'WRONG') return; // refused
  console.log(one, many);
}
