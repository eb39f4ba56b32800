// node masks.mjs FORM REPETITIONS
// Masks of random texts of a form; one JSON line. Times are milliseconds, those of tokens the best of all repetitions.
import { FORMS } from '../forms.mjs';
import { allows, compile, loadModule, takeVocabulary, unwrap } from '../module.mjs';
import { randomText, wrongAnswers } from '../texts.mjs';
import { seededVocabulary } from '../vocabulary.mjs';

const [form, repetitions] = [process.argv[2], Number(process.argv[3])];
const TEXTS = 6;

const module = await loadModule();
const source = seededVocabulary(20261126);
const begun = performance.now();
const vocabulary = takeVocabulary(module, source);
const vocabularyTime = performance.now() - begun;

const started = performance.now();
const grammar = compile(module, FORMS[form]);
const constrain = () => vocabulary.constrain(grammar, new Int32Array(0));
const matcher = constrain().begin();
unwrap(matcher.mask());
const firstUse = performance.now() - started;

const texts = Array.from({ length: TEXTS }, () => randomText(constrain(), source));
// The first texts with a grammar, and the others when all of the first half is known.
const first = new Map();
const later = new Map();
for (let i = 0; i < repetitions; i++) {
  const tokens = constrain();
  texts.forEach((text, index) => follow(tokens, text, index, index < TEXTS / 2 ? first : later));
  tokens.delete();
}
const { checked, wrong } = wrongAnswers(constrain(), texts, source);
console.log(JSON.stringify({ form, vocabularyTime, firstUse, first: [...first.values()], later: [...later.values()], checked, wrong }));

/** The time of a token is that of its mask and of taking the token. */
function follow(tokens, text, index, times) {
  const matcher = tokens.begin();
  for (const [place, token] of text.entries()) {
    const begin = performance.now();
    const mask = unwrap(matcher.mask());
    const found = performance.now();
    if (!allows(mask, token)) throw new Error(`${form}: the mask of place ${place} changes`);
    const chosen = performance.now();
    unwrap(matcher.accept(token));
    const time = found - begin + performance.now() - chosen;
    const key = `${index} ${place}`;
    times.set(key, Math.min(time, times.get(key) ?? Infinity));
  }
  matcher.delete();
}
