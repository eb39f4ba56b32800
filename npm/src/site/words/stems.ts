// Stemmers by language: Snowball's algorithms, from @orama/stemmers. Each is a separate script, loaded when it is
// needed.

/** Reduces the forms of a word to one: `connections` and `connected` become `connect`. Words are in lower case. */
export type Stemmer = (word: string) => string;

type Load = () => Promise<{ stemmer: Stemmer }>;

const norwegian: Load = () => import('@orama/stemmers/norwegian');

/** Stemmers by the first part of a language's tag. */
const loaders: Readonly<Record<string, Load>> = {
  ar: () => import('@orama/stemmers/arabic'),
  bg: () => import('@orama/stemmers/bulgarian'),
  da: () => import('@orama/stemmers/danish'),
  de: () => import('@orama/stemmers/german'),
  el: () => import('@orama/stemmers/greek'),
  en: () => import('@orama/stemmers/english'),
  es: () => import('@orama/stemmers/spanish'),
  fi: () => import('@orama/stemmers/finnish'),
  fr: () => import('@orama/stemmers/french'),
  ga: () => import('@orama/stemmers/irish'),
  hi: () => import('@orama/stemmers/indian'),
  hu: () => import('@orama/stemmers/hungarian'),
  hy: () => import('@orama/stemmers/armenian'),
  id: () => import('@orama/stemmers/indonesian'),
  it: () => import('@orama/stemmers/italian'),
  lt: () => import('@orama/stemmers/lithuanian'),
  nb: norwegian,
  ne: () => import('@orama/stemmers/nepali'),
  nl: () => import('@orama/stemmers/dutch'),
  nn: norwegian,
  no: norwegian,
  pt: () => import('@orama/stemmers/portuguese'),
  ro: () => import('@orama/stemmers/romanian'),
  ru: () => import('@orama/stemmers/russian'),
  sr: () => import('@orama/stemmers/serbian'),
  sv: () => import('@orama/stemmers/swedish'),
  ta: () => import('@orama/stemmers/tamil'),
  tr: () => import('@orama/stemmers/turkish'),
  uk: () => import('@orama/stemmers/ukrainian'),
};

/** The stemmer of a language (BCP 47). A language without a stemmer keeps its words unchanged. */
export async function loadStemmer(lang: string): Promise<Stemmer> {
  const name = lang.split('-')[0]!;
  return Object.hasOwn(loaders, name) ? (await loaders[name]!()).stemmer : (word) => word;
}
