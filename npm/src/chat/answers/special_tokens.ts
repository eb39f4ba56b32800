// Special tokens within the text of an answer. Text with the same spelling is not one: what a model writes about a
// marker is not a marker.

/** Two of UTF-16's high surrogates in a row are never part of text: each needs a low one after it. */
const first = 0xd800;
const mark = /\ud800([\ud801-\udbff])/g;

export class SpecialTokens {
  readonly texts: readonly string[];

  constructor(texts: Iterable<string>) {
    this.texts = [...texts];
  }

  /** The stand-in for a marker: for a special token, something that cannot be text. */
  marked(text: string): string {
    const at = this.texts.indexOf(text);
    return at < 0 ? text : String.fromCharCode(first, first + 1 + at);
  }

  /** The texts of special tokens in their places. */
  written(text: string): string {
    return text.replace(mark, (_, which: string) => this.texts[which.charCodeAt(0) - first - 1]!);
  }
}
