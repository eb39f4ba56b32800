// Guesses the language of a site that does not declare it: by its script, else by the little words that are frequent in
// one language only.

const scripts: readonly (readonly [lang: string, characters: RegExp])[] = [
  ['ja', /[\u3040-\u30ff]/u],
  ['ko', /[\uac00-\ud7a3]/u],
  ['zh', /\p{Script=Han}/u],
  ['th', /\p{Script=Thai}/u],
  ['ru', /\p{Script=Cyrillic}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['el', /\p{Script=Greek}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['hi', /\p{Script=Devanagari}/u],
];

const littleWords: readonly (readonly [lang: string, words: string])[] = [
  ['en', 'the and of to is that with for this are'],
  ['de', 'der die und das ist nicht mit ein eine werden'],
  ['fr', 'le les des est une dans pour que vous avec'],
  ['es', 'el los las una por con para que del se'],
  ['pt', 'não uma para com os dos você são mais ao'],
  ['it', 'il di che una per con sono della gli nel'],
  ['nl', 'de het een van niet zijn voor met worden deze'],
  ['sv', 'och att det som för inte är den av ett'],
  ['da', 'og det er ikke til på af som der at'],
  ['fi', 'ja on ei se että ovat tai kun voi sen'],
  ['pl', 'nie się jest na do że jak dla lub przez'],
  ['tr', 've bir bu için ile olarak değil olan gibi daha'],
];

const wordLists = littleWords.map(([lang, words]) => [lang, new Set(words.split(' '))] as const);

/** The length of text, in UTF-16 units, from which the language is detected. */
const sampled = 200_000;

export class LanguageGuess {
  private sample = '';

  /** Whether it needs no more text. */
  get isFull(): boolean {
    return this.sample.length >= sampled;
  }

  add(text: string): void {
    if (!this.isFull) this.sample += `${text.slice(0, 2000)}\n`;
  }

  /** English, if nothing else is known. */
  language(): string {
    const letters = this.sample.match(/\p{L}/gu) ?? [];
    for (const [lang, characters] of scripts) {
      const count = letters.filter((letter) => characters.test(letter)).length;
      // Kana make less than half of Japanese, and programs in a text are Latin.
      if (count > 0.15 * letters.length) return lang;
    }
    const counts = new Map(wordLists.map(([lang]) => [lang, 0]));
    for (const word of this.sample.toLowerCase().match(/\p{L}+/gu) ?? []) {
      for (const [lang, list] of wordLists) if (list.has(word)) counts.set(lang, counts.get(lang)! + 1);
    }
    return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
  }
}
