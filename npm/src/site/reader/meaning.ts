// Finds the passages that mean what a query means: its vector is the sum of those of its words, and the nearest clusters have the
// passages to compare it with.

import { wordsOf } from '../../search/keywords/words.js';
import { TopK } from '../../search/top_k.js';
import type { ByteReader } from '../format/byte_reader.js';
import { codeBytes, decode, lengthOf } from '../format/codes.js';
import { centreBits, type LanguageEntry, type VectorsEntry } from '../format/files.js';
import { rowFileOf } from '../format/row_files.js';
import { nearest, probes } from './ranking.js';
import { Shards } from './shards.js';
import type { SiteFolder } from './site_folder.js';

/** Files of a kind that are kept in memory. */
const maxRowFiles = 512;
const maxClusters = 96;

/** A passage, and the cosine of the angle between it and the query. */
export interface NearPassage {
  section: number;
  /** Its number in the section. */
  passage: number;
  cosine: number;
}

/** What all passages mean alike, which tells none from another and was taken from each, and the centres of clusters. */
interface Centres {
  mean: Float32Array;
  centres: Float32Array;
}

/** The passages of a cluster. */
interface Cluster {
  sections: Uint32Array;
  passages: Uint32Array;
  vectors: Float32Array;
}

export class Meaning {
  private readonly rows: Shards<Map<string, Float32Array>>;
  private readonly clusters: Shards<Cluster>;
  private readonly centres: Shards<Centres>;

  constructor(
    folder: SiteFolder,
    { folder: name, sections }: LanguageEntry,
    private readonly entry: VectorsEntry,
  ) {
    this.rows = new Shards(async (n) => readRows(await folder.open(name, 'rows', n), entry), maxRowFiles);
    this.centres = new Shards(async (n) => readCentres(await folder.open(name, 'centres', n), entry));
    this.clusters = new Shards(
      async (n) => readCluster(await folder.open(name, 'cluster', n), entry, sections),
      maxClusters,
    );
  }

  /** Loads what every query needs. */
  prepare(): void {
    for (const loading of [this.centres.get(0), this.rows.get(0)]) loading.catch(() => {});
  }

  /** The passages nearest to a text, best first; none if it has no word with a vector. */
  async near(text: string): Promise<NearPassage[]> {
    const [words, { mean, centres }] = await Promise.all([this.vectorOf(text), this.centres.get(0)]);
    if (!words) return [];
    const query = words.map((value, i) => value - mean[i]!);
    const { dimension } = this.entry;
    const best = new TopK(probes);
    for (let c = 0; c < this.entry.clusters; ++c) best.offer(product(query, centres, c * dimension), c, c);
    const clusters = await Promise.all(best.ranked().map(({ slot }) => this.clusters.get(slot)));
    const passages: NearPassage[] = [];
    const top = new TopK(nearest);
    for (const { sections, passages: numbers, vectors } of clusters) {
      for (let i = 0; i < sections.length; ++i) {
        const cosine = product(query, vectors, i * dimension);
        if (!top.wants(cosine, passages.length)) continue;
        top.offer(cosine, passages.length, passages.length);
        passages.push({ section: sections[i]!, passage: numbers[i]!, cosine });
      }
    }
    return top.ranked().map(({ slot }) => passages[slot]!);
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
    const length = Math.sqrt(product(sum, sum, 0));
    return length > 0 ? sum.map((value) => value / length) : undefined;
  }
}

function product(one: Float32Array, vectors: Float32Array, first: number): number {
  let sum = 0;
  for (let i = 0; i < one.length; ++i) sum += one[i]! * vectors[first + i]!;
  return sum;
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

function readCentres(reader: ByteReader, { clusters, dimension }: VectorsEntry): Centres {
  const length = lengthOf(reader.byte());
  const mean = decode(reader.raw(codeBytes(dimension, centreBits)), 1, dimension, centreBits);
  const bytes = reader.raw(clusters * codeBytes(dimension, centreBits));
  reader.end();
  const centres = decode(bytes, clusters, dimension, centreBits);
  return { mean: mean.map((value) => value * length), centres };
}

function readCluster(reader: ByteReader, { dimension, passageBits }: VectorsEntry, sections: number): Cluster {
  const count = reader.count('passages', 2 + codeBytes(dimension, passageBits));
  const cluster = { sections: new Uint32Array(count), passages: new Uint32Array(count) };
  let section = 0;
  for (let i = 0; i < count; ++i) {
    section += reader.number();
    if (section >= sections) throw reader.broken(`section ${section} of ${sections}`);
    cluster.sections[i] = section;
  }
  for (let i = 0; i < count; ++i) cluster.passages[i] = reader.atMost(2 ** 32 - 1, 'the number of a passage');
  const vectors = decode(reader.raw(count * codeBytes(dimension, passageBits)), count, dimension, passageBits);
  reader.end();
  return { ...cluster, vectors };
}
