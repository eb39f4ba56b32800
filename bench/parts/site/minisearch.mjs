// MiniSearch over the sections of all pages, carefully set up, as in VitePress: English stop words left out, stems,
// words of Chinese and Japanese cut by Intl.Segmenter, beginnings of the last word only, typos in words of five letters
// and more.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import MiniSearch from 'minisearch';
import { queries } from './scores.mjs';
import { sectionsOf } from './sections.mjs';
import { pagesOf, siteNames, siteOf, textOf } from './sites.mjs';

const STOP = new Set(
  `a an the of to in on at for from with without and or not no if is are was were be been it its this that these those i my me we our you
  your he his they their them do does did how what which who when where why can could should would will may might must have has had as by
  into over out up down off about after before so than then there here all any`.split(/\s+/),
);
const STEMMERS = { en: 'english', fr: 'french', de: 'german', es: 'spanish', tr: 'turkish' };
const FIELDS = {
  fields: ['title', 'titles', 'text'],
  storeFields: ['page'],
};

async function optionsFor(lang) {
  const { stemmer } = STEMMERS[lang] ? await import(`@orama/stemmers/${STEMMERS[lang]}`) : {};
  const segmenter = /^(ja|zh)/.test(lang) && new Intl.Segmenter(lang, { granularity: 'word' });
  const stems = new Map();
  const stemOf = (word) => {
    if (!stems.has(word)) stems.set(word, stemmer ? stemmer(word) : word);
    return stems.get(word);
  };
  return {
    ...FIELDS,
    tokenize: (text) =>
      segmenter
        ? [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment)
        : (text.match(/[\p{L}\p{N}_]+/gu) ?? []),
    processTerm(word) {
      const term = word.toLowerCase();
      return lang === 'en' && STOP.has(term) ? null : stemOf(term);
    },
    searchOptions: {
      boost: { title: 4, text: 2, titles: 1 },
      prefix: (term, i, terms) => i === terms.length - 1 && term.length > 2,
      fuzzy: (term) => (term.length >= 5 ? 0.2 : false),
    },
  };
}

export async function askMiniSearch(sites) {
  const result = { answers: {}, seconds: {}, first: {} };
  for (const name of siteNames) {
    const begin = performance.now();
    const { main } = siteOf(name);
    const byLanguage = new Map();
    for (const page of pagesOf(join(sites, name))) {
      const { lang, sections } = sectionsOf(textOf(join(sites, name, page)), main);
      const known = name === 'apache' ? lang : 'en';
      if (!byLanguage.has(known)) byLanguage.set(known, []);
      const documents = byLanguage.get(known);
      for (const section of sections) documents.push({ id: documents.length, page, ...section });
    }
    for (const [lang, documents] of byLanguage) {
      const asked = queries.filter((query) => query.site === name && query.lang === lang);
      if (asked.length === 0) continue;
      const index = new MiniSearch(await optionsFor(lang));
      index.addAll(documents);
      if (lang === 'en') result.first[name] = [gzipSync(JSON.stringify(index), { level: 9 }).length];
      for (const { id, query } of asked)
        result.answers[id] = index
          .search(query)
          .slice(0, 100)
          .map(({ page }) => page);
    }
    result.seconds[name] = (performance.now() - begin) / 1000;
  }
  return result;
}
