// Embeds texts from the command line as JSON lines; one that cannot be embedded ends the command.
import type { Embedder, EmbedOptions } from '../../index.js';
import { LineTally } from '../output/line_tally.js';
import type { Output } from '../output/output.js';
import { withEmbedding } from './record_json.js';

export async function embedTexts(
  texts: string[],
  embedder: Embedder,
  options: EmbedOptions,
  stdout: Output,
): Promise<LineTally> {
  const { vectors, dimension, tokens, truncated } = await embedder.encode(texts, options);
  const tally = new LineTally();
  for (const index of texts.keys()) {
    const cut = truncated[index] !== 0;
    const vector = vectors.subarray(index * dimension, (index + 1) * dimension);
    await stdout.line(withEmbedding(JSON.stringify({ index, tokens: tokens[index], truncated: cut }), vector));
    tally.lines += 1;
    if (cut) tally.cut += 1;
  }
  return tally;
}
