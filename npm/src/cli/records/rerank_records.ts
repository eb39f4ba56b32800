// Scores records for a query, best first.
import type { Reranker } from '../../index.js';
import { LineTally } from '../output/line_tally.js';
import { lineBatches } from '../output/lines.js';
import { type Hit, withoutHitFields } from './passage_index.js';
import type { RecordReader } from './record_reader.js';
import type { BadRecord, TextRecord } from './records.js';

/** The records of stdin, those that cannot be used passed to `onBadRecord`. */
export async function readCandidates(
  reader: RecordReader,
  onBadRecord: (record: BadRecord) => Promise<void>,
): Promise<{ candidates: Hit[]; tally: LineTally }> {
  const candidates: Hit[] = [];
  const tally = new LineTally();
  for await (const records of reader.batches(lineBatches(process.stdin))) {
    for (const record of records) {
      tally.lines += 1;
      if (record.fault) {
        tally.bad += 1;
        await onBadRecord(record);
      } else if (record.text.trim() !== '') candidates.push(candidateOf(record));
    }
  }
  return { candidates, tally };
}

function candidateOf({ line, id, title, text, rest }: TextRecord): Hit {
  return {
    id: id ?? String(line.number),
    score: 0,
    ...(title === undefined ? {} : { title }),
    text,
    ...withoutHitFields(rest),
  };
}

/** The best of the candidates, with the scores of the reranker. */
export async function rerank(
  reranker: Reranker,
  query: string,
  candidates: readonly Hit[],
  { topK, maxLength, tally }: { topK: number | undefined; maxLength?: number | undefined; tally?: LineTally },
): Promise<Hit[]> {
  const ranked = await reranker.rank(
    query,
    candidates.map(({ text }) => text),
    {
      ...(topK === undefined ? {} : { topK }),
      ...(maxLength === undefined ? {} : { maxLength }),
      onTruncate: () => {
        if (tally) tally.cut += 1;
      },
    },
  );
  return ranked.map(({ index, score }) => ({ ...candidates[index]!, score }));
}
