// Masks of random texts of a form, by the package's module for grammars.
import { FORMS } from '../jobs/grammar_forms.mjs';
import { seededVocabulary } from '../jobs/grammar_vocabulary.mjs';
import { allows, compile, loadModule, takeVocabulary, unwrap } from './grammar_module.mjs';
import { randomText, wrongAnswers } from './grammar_texts.mjs';

const TEXTS = 6;

export const contestants = {
  async quintet() {
    const module = await loadModule();
    return { measureMasks: (form, repetitions) => measureMasks(module, form, repetitions) };
  },
};

/**
 * { vocabularyTime, firstUse, first, later, checked, wrong }: milliseconds, those of tokens the best of all
 * repetitions, and numbers of tokens. `first`: of the first texts with a grammar, `later`: of the others, when all of
 * the first half is known.
 */
function measureMasks(module, form, repetitions) {
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
  const first = new Map();
  const later = new Map();
  for (let i = 0; i < repetitions; i++) {
    const tokens = constrain();
    texts.forEach((text, index) => follow(tokens, text, index, index < TEXTS / 2 ? first : later));
    tokens.delete();
  }
  const answers = wrongAnswers(constrain(), texts, source);
  return { vocabularyTime, firstUse, first: [...first.values()], later: [...later.values()], ...answers };
}

/** The time of a token is that of its mask and of taking the token. */
function follow(tokens, text, index, times) {
  const matcher = tokens.begin();
  for (const [place, token] of text.entries()) {
    const begin = performance.now();
    const mask = unwrap(matcher.mask());
    const found = performance.now();
    if (!allows(mask, token)) throw new Error(`the mask of place ${place} changes`);
    const chosen = performance.now();
    unwrap(matcher.accept(token));
    const time = found - begin + performance.now() - chosen;
    const key = `${index} ${place}`;
    times.set(key, Math.min(time, times.get(key) ?? Infinity));
  }
  matcher.delete();
}
