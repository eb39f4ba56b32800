/** What is found: a few sentences with the name of what they stand in. */
export interface Passage {
  title: string;
  text: string;
  /** Where it comes from. */
  source: string;
  /** The heading that says what the text is about, where it says it in words that the text need not have. */
  heading?: string;
}

/** Lines of a file that were left out, and why. */
export interface LeftOut {
  line: number;
  why: string;
}

/** A file that gives no passages, said in a sentence. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}
