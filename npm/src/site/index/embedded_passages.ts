// The vectors that a transformer gives a language's passages.

import type { ClustersEntry } from '../format/files.js';
import { embeddedText, type PassageModel } from '../model/passage_model.js';
import type { SitePage } from '../page.js';
import { ByteVectors } from './byte_vectors.js';
import { writeClusters } from './cluster_files.js';
import type { FolderWriter } from './stored_file.js';

const passageBits = 2;

export class EmbeddedPassages {
  private readonly vectors: ByteVectors;
  private readonly places = { sections: [] as number[], numbers: [] as number[] };

  constructor(private readonly model: PassageModel) {
    this.vectors = new ByteVectors(model.dimension);
  }

  /** The sections of the page have numbers that follow `firstSection`. */
  async add({ title, sections }: SitePage, firstSection: number): Promise<void> {
    const texts: string[] = [];
    sections.forEach((section, i) => {
      const titles = [...new Set([title, ...section.trail, section.title])].filter((each) => each !== '');
      section.passages.forEach(({ text }, number) => {
        texts.push(embeddedText(titles, text));
        this.places.sections.push(firstSection + i);
        this.places.numbers.push(number);
      });
    });
    if (texts.length === 0) return;
    const { dimension } = this.model;
    const vectors = await this.model.vectorsOf(texts);
    for (let i = 0; i < texts.length; ++i) this.vectors.push(vectors.subarray(i * dimension, (i + 1) * dimension));
  }

  /** Undefined if there are no passages. */
  async write(folder: FolderWriter): Promise<ClustersEntry | undefined> {
    if (this.vectors.size === 0) return undefined;
    const kinds = { centers: 'embeddedCenters', cluster: 'embeddedCluster' } as const;
    return writeClusters(this.vectors, this.places, passageBits, kinds, folder);
  }
}
