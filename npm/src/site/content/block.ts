// A paragraph of a page, or a piece of its code.

export interface Block {
  text: string;
  isCode: boolean;
  weight: number;
  /** A heading that no link can lead to. */
  isHeading?: boolean;
}
