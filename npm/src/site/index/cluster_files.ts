// Writes passages with their vectors, in clusters of similar meaning.

import { encode, lengthCode } from '../format/codes.js';
import { type ClustersEntry, centerBits, type FileKind } from '../format/files.js';
import { type ByteVectors, lengthOfVector } from './byte_vectors.js';
import { clustersOf } from './clusters.js';
import { meanOf, without } from './mean.js';
import { begin, type ContentWriter } from './stored_file.js';

/** The passage of each vector: its section, in ascending order, and its number in it. */
export interface PassagePlaces {
  sections: number[];
  numbers: number[];
}

/** `kinds`: of the file with the centers, and of those with the passages. */
export async function writeClusters(
  passages: ByteVectors,
  places: Readonly<PassagePlaces>,
  passageBits: number,
  kinds: { centers: FileKind; cluster: FileKind },
  folder: ContentWriter,
): Promise<ClustersEntry> {
  const { dimension } = passages;
  const mean = meanOf(passages);
  const vectors = without(mean, passages);
  const { count, centers, clusterOf } = clustersOf(vectors);
  const content = begin(kinds.centers, 0);
  content.byte(lengthCode(lengthOfVector(mean)));
  content.raw(encode(mean, centerBits));
  for (let c = 0; c < count; ++c) content.raw(encode(centers.subarray(c * dimension, (c + 1) * dimension), centerBits));
  await folder.content(kinds.centers, 0, content);
  const members: number[][] = Array.from({ length: count }, () => []);
  clusterOf.forEach((cluster, row) => void members[cluster]!.push(row));
  for (const [cluster, rows] of members.entries()) {
    const file = begin(kinds.cluster, cluster);
    file.number(rows.length);
    let before = 0;
    for (const row of rows) {
      file.number(places.sections[row]! - before);
      before = places.sections[row]!;
    }
    for (const row of rows) file.number(places.numbers[row]!);
    for (const row of rows) file.raw(encode(vectors.vector(row), passageBits));
    await folder.content(kinds.cluster, cluster, file);
  }
  return { dimension, passageBits, clusters: count };
}
