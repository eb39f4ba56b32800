/** The text, with those words marked that the question has as well. They show what it was *not* found by alone. */
export function withCommonWords(text: string, question: string): (string | HTMLElement)[] {
  const stems = new Set(wordsOf(question).map(stemOf).filter((stem) => stem.length >= shortest));
  if (stems.size === 0) return [text];
  return text.split(/([\p{L}\p{N}]+)/u).map((part, i) => (i % 2 === 1 && stems.has(stemOf(part)) ? marked(part) : part));
}

/** Shorter words say little. */
const shortest = 4;
/** Endings are left out of the comparison. */
const compared = 6;

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

const stemOf = (word: string): string => word.toLowerCase().replace(/(?:ing|ed|es|s)$/, '').slice(0, compared);

function marked(word: string): HTMLElement {
  const mark = document.createElement('mark');
  mark.textContent = word;
  return mark;
}
