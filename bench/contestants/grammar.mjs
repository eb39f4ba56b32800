// Masks of random texts of a form, by the package's module for grammars, with the JavaScript that belongs to it, since
// the package does not expose masks.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

import { glueOf, oneThread } from '../../tools/build/modules.mjs';
import { dist } from '../../tools/build/paths.mjs';
import { FORMS, seededVocabulary } from '../jobs/grammar.mjs';

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

/** The time of a token includes its mask and the step that accepts it. */
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

async function loadModule() {
  const { default: create } = await import(pathToFileURL(glueOf('grammar', oneThread)).href);
  const bytes = await readFile(`${dist}quintet-grammar.wasm`);
  return create({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(bytes, imports).then(({ instance, module }) => done(instance, module));
      return {};
    },
  });
}

function unwrap(outcome) {
  if (!outcome.ok) throw new Error(outcome.error.detail ?? JSON.stringify(outcome.error));
  return outcome.value;
}

function takeVocabulary(module, { tokens, stop }) {
  const vocabulary = new module.GrammarVocabulary();
  const bytes = Buffer.concat(tokens);
  vocabulary.textWindow(bytes.length).set(bytes);
  let end = 0;
  vocabulary.take(
    bytes.length,
    Int32Array.from(tokens, (token) => (end += token.length)),
    Int32Array.of(stop),
  );
  return vocabulary;
}

/** `form`: a JSON schema, or a text in GBNF. */
function compile(module, form) {
  const compiler = new module.GrammarCompiler();
  const isGbnf = typeof form === 'string';
  const bytes = Buffer.from(isGbnf ? form : JSON.stringify(form));
  compiler.textWindow(bytes.length).set(bytes);
  const grammar = unwrap(isGbnf ? compiler.gbnf(bytes.length) : compiler.jsonSchema(bytes.length));
  compiler.delete();
  return grammar;
}

const allows = (mask, token) => ((mask[token >>> 5] >>> (token & 31)) & 1) === 1;

const MAX_TOKENS = 250;
const TRIES = 300;
/** The rate at which a quotation mark or a line break is preferred: texts in JSON would hardly ever end otherwise. */
const CLOSING = 1 / 8;

/** A random text that a grammar allows, as ids of tokens. */
function randomText(tokens, { tokens: bytes, stop, random }) {
  const closing = bytes.flatMap((token, id) => (token.includes(0x22) || token.includes(0x0a) ? [id] : []));
  const matcher = tokens.begin();
  const text = [];
  while (text.length < MAX_TOKENS) {
    const mask = unwrap(matcher.mask());
    const token = chosenToken(mask, random, random() < CLOSING ? closing : undefined);
    text.push(token);
    unwrap(matcher.accept(token));
    if (token === stop) break;
  }
  matcher.delete();
  tokens.delete();
  return text;
}

function chosenToken(mask, random, preferred) {
  const below = (n) => Math.floor(random() * n);
  const size = mask.length * 32;
  for (let i = 0; i < TRIES; i++) {
    const token = preferred ? preferred[below(preferred.length)] : below(size);
    if (allows(mask, token)) return token;
  }
  // Few tokens are allowed: picks the next one after a random place.
  const begin = below(size);
  for (let i = 0; i < size; i++) {
    const token = (begin + i) % size;
    if (allows(mask, token)) return token;
  }
  throw new Error('a mask without tokens');
}

/** Places are `EVERY` tokens apart in the texts. */
const EVERY = 9;
const TOKENS_A_PLACE = 300;

/**
 * Compares masks with the recognizer, which follows single tokens byte by byte: { checked, wrong }, numbers of tokens.
 */
function wrongAnswers(tokens, texts, { tokens: bytes, random }) {
  let checked = 0;
  let wrong = 0;
  for (const text of texts) {
    for (let place = 0; place < text.length; place += EVERY) {
      const mask = at(tokens, text, place, (matcher) => unwrap(matcher.mask()).slice());
      for (let i = 0; i < TOKENS_A_PLACE; i++) {
        const token = Math.floor(random() * bytes.length);
        const accepted = at(tokens, text, place, (matcher) => matcher.accept(token)).ok;
        checked += 1;
        if (accepted !== allows(mask, token)) wrong += 1;
      }
    }
  }
  return { checked, wrong };
}

/** The result of `ask` for the matcher after the first tokens of a text. */
function at(tokens, text, place, ask) {
  const matcher = tokens.begin();
  for (const token of text.slice(0, place)) unwrap(matcher.accept(token));
  const answer = ask(matcher);
  matcher.delete();
  return answer;
}
