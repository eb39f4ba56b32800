// A port of transformers' TokenClassificationPipeline (pipelines/token_classification.py, Apache-2.0), with tokens and
// places as Hugging Face's tokenizers (Rust) records them in places.json, and the logits of a model by ids.

import { readFileSync } from 'node:fs';
import { Tokenizer as HuggingFaceTokenizer } from '@huggingface/tokenizers';
import { fixturePath } from '../helpers/model_fixtures.mjs';

const json = (folder, name) => JSON.parse(readFileSync(fixturePath(`rerankers/${folder}/${name}`), 'utf8'));
const recorded = JSON.parse(readFileSync(new URL('tokens.json', import.meta.url), 'utf8'));

function softmax(values) {
  const powers = values.map((value) => Math.exp(value - Math.max(...values)));
  return powers.map((power) => power / powers.reduce((a, b) => a + b, 0));
}
const argmax = (values) => values.indexOf(Math.max(...values));
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

/** The logits of all tokens but the special ones, from windows of `maxLength` tokens. */
async function logitsOf(model, ids, [cls, sep], maxLength) {
  const [size, overlap] = [maxLength - 2, Math.floor((maxLength - 2) / 4)];
  const count = model.labels.length;
  const rows = [];
  for (let begin = 0; rows.length < ids.length; begin += size - overlap) {
    const window = ids.slice(begin, begin + size);
    const logits = await model.logitsIds([cls, ...window, sep]);
    const isLast = begin + size >= ids.length;
    const end = window.length - (isLast ? 0 : overlap - Math.floor(overlap / 2));
    for (let i = rows.length - begin; i < end; ++i)
      rows.push(Array.from(logits.slice((i + 1) * count, (i + 2) * count)));
  }
  return rows;
}

function preEntities(folder, text, ids, tokens, scores) {
  const { model } = json(folder, 'tokenizer.json');
  const isWordPiece = model.type === 'WordPiece';
  const unknown = isWordPiece ? model.vocab['[UNK]'] : model.unk_id;
  return tokens.map(({ token, start, end }, i) => {
    const reference = text.slice(start, end);
    let isSubword = isWordPiece
      ? [...token].length !== [...reference].length
      : start > 0 && !text.slice(start - 1, start + 1).includes(' ');
    if (ids[i] === unknown) isSubword = false;
    return { start, end, isSubword, scores: scores[i] };
  });
}

function aggregateWord(word, strategy, labels) {
  let scores;
  if (strategy === 'first') scores = word[0].scores;
  if (strategy === 'max')
    scores = word.reduce((best, part) => (Math.max(...part.scores) > Math.max(...best.scores) ? part : best)).scores;
  if (strategy === 'average') scores = labels.map((_, label) => mean(word.map((part) => part.scores[label])));
  const best = argmax(scores);
  return { label: labels[best], score: scores[best], start: word[0].start, end: word.at(-1).end };
}

function aggregateWords(entities, strategy, labels) {
  const words = [];
  let group;
  for (const entity of entities) {
    if (!group) group = [entity];
    else if (entity.isSubword) group.push(entity);
    else {
      words.push(aggregateWord(group, strategy, labels));
      group = [entity];
    }
  }
  if (group) words.push(aggregateWord(group, strategy, labels));
  return words;
}

function tagOf(label) {
  if (label.startsWith('B-')) return ['B', label.slice(2)];
  if (label.startsWith('I-')) return ['I', label.slice(2)];
  return ['I', label];
}

function groupEntities(entities) {
  const groups = [];
  let group = [];
  const close = () =>
    groups.push({
      label: group[0].label
        .split('-')
        .slice(group[0].label.includes('-') ? 1 : 0)
        .join('-'),
      score: mean(group.map(({ score }) => score)),
      start: group[0].start,
      end: group.at(-1).end,
    });
  for (const entity of entities) {
    if (group.length === 0) {
      group.push(entity);
      continue;
    }
    const [begins, tag] = tagOf(entity.label);
    const [, lastTag] = tagOf(group.at(-1).label);
    if (tag === lastTag && begins !== 'B') group.push(entity);
    else {
      close();
      group = [entity];
    }
  }
  if (group.length > 0) close();
  return groups;
}

/** The part that transformers leaves to its caller. */
function withoutSpace(text, { start, end, ...entity }) {
  const slice = text.slice(start, end);
  if (slice.trim() === '') return { ...entity, start, end };
  return { ...entity, start: start + slice.length - slice.trimStart().length, end: start + slice.trimEnd().length };
}

export async function entitiesAsTransformers(folder, model, text, strategy, maxLength = model.maxLength) {
  const { ids, tokens } = recorded[folder].texts[text] ?? wordsOf(folder, text);
  const { labels } = model;
  const scores = (await logitsOf(model, ids, recorded[folder].frame, maxLength)).map(softmax);
  const entities = preEntities(folder, text, ids, tokens, scores);
  const labelled =
    strategy === 'none' || strategy === 'simple'
      ? entities.map((entity) => {
          const best = argmax(entity.scores);
          return { ...entity, label: labels[best], score: entity.scores[best] };
        })
      : aggregateWords(entities, strategy, labels);
  const groups = strategy === 'none' ? labelled : groupEntities(labelled);
  return groups.filter(({ label }) => label !== 'O').map((entity) => withoutSpace(text, entity));
}

/** Tokens of a text of words that are in the vocabulary as they are. */
function wordsOf(folder, text) {
  const ids = new HuggingFaceTokenizer(json(folder, 'tokenizer.json'), json(folder, 'tokenizer_config.json'))
    .encode(text)
    .ids.slice(1, -1);
  const { vocab } = json(folder, 'tokenizer.json').model;
  const tokenOf = new Map(Object.entries(vocab).map(([token, id]) => [id, token]));
  let at = 0;
  const tokens = ids.map((id) => {
    const token = tokenOf.get(id);
    const spelled = token.replace(/^##/, '');
    const start = text.indexOf(spelled, at);
    at = start + spelled.length;
    return { token, start, end: at };
  });
  return { ids, tokens };
}
