// Finds passages with the meaning of a query: its vector is the sum of those of its words.

import { wordsOf } from '../../search/keywords/words.js';
import type { ByteReader } from '../format/byte_reader.js';
import { codeBytes, decode, lengthOf } from '../format/codes.js';
import type { FileKind, VectorsEntry } from '../format/files.js';
import { rowFileOf } from '../format/row_files.js';
import { type NearPassage, PassageClusters } from './passage_clusters.js';
import { Shards } from './shards.js';

/** Files of words that are kept in memory. */
const maxRowFiles = 512;

export class Meaning {
  private readonly rows: Shards<Map<string, Float32Array>>;
  private readonly clusters: PassageClusters;

  /** `open` opens a file of the language's folder, `sections` is the number of its sections. */
  constructor(
    open: (kind: FileKind, number: number) => Promise<ByteReader>,
    private readonly entry: VectorsEntry,
    sections: number,
  ) {
    this.rows = new Shards(async (n) => readRows(await open('rows', n), entry), maxRowFiles);
    this.clusters = new PassageClusters(open, { centers: 'centers', cluster: 'cluster' }, entry, sections);
  }

  /** The passages nearest to a text, best first; none if it has no word with a vector. */
  async near(text: string): Promise<NearPassage[]> {
    this.clusters.prepare();
    const query = await this.vectorOf(text);
    return query ? this.clusters.near(query) : [];
  }

  private async vectorOf(text: string): Promise<Float32Array | undefined> {
    const sum = new Float32Array(this.entry.dimension);
    const frequent = await this.rows.get(0);
    const rows = await Promise.all(
      wordsOf(text).map(
        async (word) => frequent.get(word) ?? (await this.rows.get(rowFileOf(word, this.entry.rowFiles))).get(word),
      ),
    );
    for (const row of rows) row?.forEach((value, i) => void (sum[i]! += value));
    const length = Math.hypot(...sum);
    return length > 0 ? sum.map((value) => value / length) : undefined;
  }
}

function readRows(reader: ByteReader, { dimension, wordBits }: VectorsEntry): Map<string, Float32Array> {
  const count = reader.count('words', 3 + codeBytes(dimension, wordBits));
  const words: string[] = [];
  for (let i = 0; i < count; ++i) words.push(reader.textAfter(words.at(-1) ?? ''));
  const lengths = reader.raw(count);
  const vectors = decode(reader.raw(count * codeBytes(dimension, wordBits)), count, dimension, wordBits);
  reader.end();
  return new Map(
    words.map((word, i) => {
      const length = lengthOf(lengths[i]!);
      return [word, vectors.subarray(i * dimension, (i + 1) * dimension).map((value) => value * length)];
    }),
  );
}
