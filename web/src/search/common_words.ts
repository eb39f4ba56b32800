/** The text, with the words marked that also occur in the question. */
export function withCommonWords(text: string, question: string): (string | HTMLElement)[] {
  const stems = new Set(
    wordsOf(question)
      .map(stemOf)
      .filter((stem) => stem.length >= shortest),
  );
  if (stems.size === 0) return [text];
  return text
    .split(/([\p{L}\p{N}]+)/u)
    .map((part, i) => (i % 2 === 1 && stems.has(stemOf(part)) ? marked(part) : part));
}

/** Shorter words mean little. */
const shortest = 4;
/** Only the beginning of a word is compared, without its ending. */
const compared = 6;

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

const stemOf = (word: string): string =>
  word
    .toLowerCase()
    .replace(/(?:ing|ed|es|s)$/, '')
    .slice(0, compared);

function marked(word: string): HTMLElement {
  const mark = document.createElement('mark');
  mark.textContent = word;
  return mark;
}
