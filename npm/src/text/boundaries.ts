// Finds the places where a text may be split. The properties are those of Unicode, which every engine has. Engines do
// not agree on the words of a text without spaces (Intl.Segmenter uses their dictionaries), so those are not used.

/** White space of Unicode, which JavaScript has except for U+0085. */
const space = String.raw`[\s\x85]`;
/** The end of a line (ParaSep of UAX #29): of CR LF, only the line feed. */
const lineEnd = String.raw`(?:[\n\x85\u2028\u2029]|\r(?!\n))`;
/** Characters that belong to the one before: most of Extend and Format in UAX #29. */
const extending = String.raw`\p{M}\p{DI}`;
/** Closing punctuation and quotation marks. UAX #29 also counts opening brackets, which belong to what follows. */
const closing = String.raw`\p{Pe}\p{Pf}"'`;
/** Scripts that are written without spaces, with the punctuation that is theirs. */
const unspaced = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Yiii}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;
/** No split before characters that belong to the last one or end the text before. */
const begins = String.raw`(?![\s\x85${extending}\p{Gr_Ext}\u0e33\u0eb3\p{Term}…${closing}])`;

/**
 * A boundary at a position is between `text[at - 1]` and `text[at]`: the expression matches there, and consumes
 * nothing.
 */
const boundary = (...either: string[]): RegExp => new RegExp(either.join('|'), 'uy');

export const paragraphEnd = boundary(String.raw`(?!${space})(?<=(?:${lineEnd}${space}*${lineEnd}|\u2029)${space}*)`);

export const sentenceEnd = boundary(
  // White space follows any mark of an end. Those of other scripts than Latin need none (Sentence_Terminal).
  String.raw`(?!${space})(?<=(?:[\p{STerm}…](?:(?!\s)[${closing}${extending}\p{Pi}])*\s|${lineEnd})${space}*)`,
  String.raw`${begins}(?!(?<=．)\p{N})(?<=(?![.!?])\p{STerm}[\p{STerm}${closing}${extending}]*)`,
  String.raw`${begins}(?=[${unspaced}])(?<=[!?][${closing}${extending}]*)`,
);

export const wordEnd = boundary(
  String.raw`(?!${space})(?<=${space})`,
  // After zero width space and the marks between words of Tibetan and Ethiopic, too.
  String.raw`${begins}(?<![\p{Ps}\p{Pi}\u1039\u17d2])(?:(?<=[\u200b\u0f0b\u1361${unspaced}])|(?=[${unspaced}]))`,
);

export function isAt(boundary: RegExp, text: string, at: number): boolean {
  boundary.lastIndex = at;
  return wholeCharacter(text, at) === at && boundary.test(text);
}

/** The position, or the one before if it would split a surrogate pair. */
export const wholeCharacter = (text: string, at: number): number => (text.codePointAt(at - 1)! > 0xffff ? at - 1 : at);

let segmenter: Intl.Segmenter | undefined;

/**
 * Whether a grapheme cluster begins at a position; one does at `start`. Firefox before 125 only distinguishes whole
 * characters.
 */
export function graphemeStarts(text: string, start: number, end: number): (at: number) => boolean {
  if (!('Segmenter' in Intl)) return (at) => wholeCharacter(text, at) === at;
  // One more character decides whether a cluster ends at `end`.
  const clusters = (segmenter ??= new Intl.Segmenter()).segment(text.slice(start, end + 2));
  let first = 0;
  let next = 0;
  return (at) => {
    if (at < first || at >= next) {
      const { index, segment } = clusters.containing(at - start)!;
      first = start + index;
      next = first + segment.length;
    }
    return at === first;
  };
}
