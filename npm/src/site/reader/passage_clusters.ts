// Passages with their vectors, in clusters of which a query loads the nearest few.

import { TopK } from '../../search/top_k.js';
import type { ByteReader } from '../format/byte_reader.js';
import { codeBytes, decode, lengthOf } from '../format/codes.js';
import { type ClustersEntry, centerBits, type FileKind } from '../format/files.js';
import { nearest, probes } from './ranking.js';
import { Shards } from './shards.js';

/** Files that are kept in memory. */
const maxClusters = 96;

/** A passage, and the cosine of the angle between it and the query. */
export interface NearPassage {
  section: number;
  /** Its number in the section. */
  passage: number;
  cosine: number;
}

/**
 * The mean of all passages, which was subtracted from each because it distinguishes none, and the centers of clusters.
 */
interface Centers {
  mean: Float32Array;
  centers: Float32Array;
}

interface Cluster {
  sections: Uint32Array;
  passages: Uint32Array;
  vectors: Float32Array;
}

/** The kinds of files that vectors of one model are in. */
export interface ClusterKinds {
  centers: FileKind;
  cluster: FileKind;
}

export class PassageClusters {
  private readonly centers: Shards<Centers>;
  private readonly clusters: Shards<Cluster>;

  /** `open` opens a file of the language's folder, `sections` is the number of its sections. */
  constructor(
    open: (kind: FileKind, number: number) => Promise<ByteReader>,
    kinds: ClusterKinds,
    private readonly entry: ClustersEntry,
    sections: number,
  ) {
    this.centers = new Shards(async (n) => readCenters(await open(kinds.centers, n), entry));
    this.clusters = new Shards(async (n) => readCluster(await open(kinds.cluster, n), entry, sections), maxClusters);
  }

  /** Loads what every query needs. A failure shows with the query. */
  prepare(): void {
    this.centers.get(0).catch(() => {});
  }

  /** The passages nearest to a query, a vector of length one, best first. */
  async near(vector: Float32Array): Promise<NearPassage[]> {
    const { dimension, clusters: count } = this.entry;
    const { mean, centers } = await this.centers.get(0);
    const query = vector.map((value, i) => value - mean[i]!);
    const best = new TopK(probes);
    for (let c = 0; c < count; ++c) best.offer(product(query, centers, c * dimension), c, c);
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
}

function product(one: Float32Array, vectors: Float32Array, first: number): number {
  let sum = 0;
  for (let i = 0; i < one.length; ++i) sum += one[i]! * vectors[first + i]!;
  return sum;
}

function readCenters(reader: ByteReader, { clusters, dimension }: ClustersEntry): Centers {
  const length = lengthOf(reader.byte());
  const mean = decode(reader.raw(codeBytes(dimension, centerBits)), 1, dimension, centerBits);
  const bytes = reader.raw(clusters * codeBytes(dimension, centerBits));
  reader.end();
  const centers = decode(bytes, clusters, dimension, centerBits);
  return { mean: mean.map((value) => value * length), centers };
}

function readCluster(reader: ByteReader, { dimension, passageBits }: ClustersEntry, sections: number): Cluster {
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
