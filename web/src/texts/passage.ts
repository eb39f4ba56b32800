/** A search result: a few sentences, and where they come from. */
export interface Passage {
  title: string;
  text: string;
  /** The file and line, or the book. */
  source: string;
  /** The page of the book, relative to the site. */
  page?: string;
  /** The section's heading: it often names the subject in words that the text itself does not use. */
  heading?: string;
}

/** A line of a file that was left out, and why. */
export interface LeftOut {
  line: number;
  why: string;
}

/** A file without passages. The message is a sentence for the visitor. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}
