// Embeds records as JSON lines, each with its vector or an error.
import { LineTally } from '../output/line_tally.js';
import type { Output } from '../output/output.js';
import type { EmbeddingOutcome, RecordEmbedder } from './record_embedder.js';
import { errorRecord, recordFacts, withEmbedding } from './record_json.js';
import type { InputRecord } from './records.js';

/** Reads the next records once the reader of the output has consumed the previous ones. */
export async function embedLines(
  batches: AsyncIterable<InputRecord[]>,
  embedder: RecordEmbedder,
  stdout: Output,
): Promise<LineTally> {
  const tally = new LineTally();
  for await (const records of batches) {
    const outcomes = await embedder.embed(records);
    await stdout.write(outcomes.map((outcome) => `${outcomeLine(outcome, tally)}\n`).join(''));
  }
  return tally;
}

function outcomeLine(outcome: EmbeddingOutcome, tally: LineTally): string {
  const index = tally.lines++;
  if (outcome.fault) {
    tally.bad += 1;
    return errorRecord(outcome, index);
  }
  if (outcome.truncated) tally.cut += 1;
  return withEmbedding(recordFacts(index, outcome), outcome.vector);
}
