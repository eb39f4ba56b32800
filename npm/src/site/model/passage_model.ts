// A transformer that embeds whole passages when an index is built, and queries when it is searched.

export interface PassageModel {
  readonly name: string;
  /** Changes whenever a vector may: vectors that are kept between builds are named by it. */
  readonly fingerprint: string;
  /** Number of elements of a vector. */
  readonly dimension: number;
  /** The vectors of passages, of length one, one after another. */
  vectorsOf(texts: readonly string[]): Promise<Float32Array>;
  close(): void;
}

/** The text of a passage that is embedded. `titles`: those above it, outermost first. */
export const embeddedText = (titles: readonly string[], text: string): string => `${titles.join(': ')}\n${text}`;
