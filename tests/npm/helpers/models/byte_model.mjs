// A tiny model whose tokens are bytes and the special tokens that a test names: any text can be its answer.
import { TextGenerator } from 'quintet';
import { ggufFile, tensorTypes, tinyLlama } from './gguf_writer.mjs';

const control = 3;
const [end, firstByte, firstSpecial] = [2, 3, 3 + 256];

/** Each byte is a token, and so is each of the special texts. */
export function* idsOf(text, special) {
  const found = special.find((each) => text.includes(each));
  if (found === undefined) return yield* [...new TextEncoder().encode(text)].map((byte) => firstByte + byte);
  const at = text.indexOf(found);
  yield* idsOf(text.slice(0, at), special);
  yield firstSpecial + special.indexOf(found);
  return yield* idsOf(text.slice(at + found.length), special);
}

/** A GGUF file with this chat template, and more texts in its metadata. */
export function byteModel(template, special = [], texts = {}) {
  const bytes = Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, '0')}>`);
  const tokens = ['<unk>', '<s>', '</s>', ...bytes, ...special];
  const replaced = {
    'tokenizer.ggml.tokens': { of: 'string', list: tokens },
    'tokenizer.ggml.scores': { of: 'float32', list: tokens.map((_, i) => -i) },
    'tokenizer.ggml.token_type': {
      of: 'int32',
      list: [2, control, control, ...bytes.map(() => 6), ...special.map(() => control)],
    },
  };
  const values = tinyLlama.values.map(([key, type, value]) => [key, type, replaced[key] ?? value]);
  if (template) values.push(['tokenizer.chat_template', 'string', template]);
  for (const [key, text] of Object.entries(texts)) values.push([key, 'string', text]);
  values.find(([key]) => key === 'llama.context_length')[2] = 8192;
  const tensors = tinyLlama.tensors.map(({ name, type, shape: small }) => {
    const shape = name === 'token_embd.weight' ? [tokens.length, small[1]] : small;
    const [, block, blockBytes] = tensorTypes[type];
    const size = (shape.reduce((product, dimension) => product * dimension, 1) / block) * blockBytes;
    return { name, type, shape, data: new Uint8Array(size) };
  });
  return ggufFile({ values, tensors });
}

/** `parts`: texts, of which nothing is a special token, and { token } for one. */
export const idsOfParts = (parts, special) =>
  parts.flatMap((part) => [...(typeof part === 'string' ? idsOf(part, []) : idsOf(part.token, special))]);

/** Parts as a caller joins them. */
export function joined(parts) {
  const texts = { text: '', reasoning: '' };
  const calls = new Map();
  for (const { type, text, index, argumentsText, discarded, ...named } of parts) {
    if (type !== 'toolCall') texts[type] += text;
    else if (discarded) calls.delete(index);
    else {
      const call = calls.get(index) ?? { json: '' };
      calls.set(index, { ...call, ...named, json: call.json + argumentsText });
    }
  }
  const toolCalls = [...calls.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, { json, ...call }]) => ({ ...call, arguments: JSON.parse(json) }));
  return { ...texts, toolCalls };
}

/**
 * Options with which a model gives these answers, one after another; it fails before the token with the number `fails`.
 */
export function saying(answers, fails = Infinity) {
  const ids = answers.flatMap((answer) => [...idsOf(answer, []), end]);
  let tokens = 0;
  const logitsProcessor = (logits) => {
    if (tokens++ === fails) throw new Error('mine');
    logits.fill(-Infinity);
    logits[ids.shift()] = 1;
  };
  return { temperature: 0, maxTokens: 1000, logitsProcessor };
}

/** Lets the model answer with this text, or these parts, token by token, and returns what a caller gets. */
export async function answering(
  answer,
  { template, special = [], messages = [{ role: 'user', content: 'x' }], ...options },
) {
  const model = await TextGenerator.load(byteModel(template, special));
  try {
    const ids = [...(Array.isArray(answer) ? idsOfParts(answer, special) : idsOf(answer, special)), end];
    const generate = () => {
      let next = 0;
      return model.generate(messages, {
        maxTokens: ids.length + 1,
        temperature: 0,
        logitsProcessor(logits) {
          logits.fill(-Infinity);
          logits[ids[next++]] = 1;
        },
        ...options,
      });
    };
    const generation = generate();
    const texts = [];
    for await (const { text } of generation) texts.push(text);
    const { toolCalls, reasoning, unparsedToolCalls, reason } = await generation.finished;
    const whole = await generation.text();
    const parts = [];
    for await (const part of generate().parts()) parts.push(part);
    if (options.largeIntegers !== 'bigint')
      expect(joined(parts)).toEqual({ text: whole, reasoning: reasoning ?? '', toolCalls: toolCalls ?? [] });
    return { text: texts.join(''), whole, toolCalls, reasoning, unparsedToolCalls, reason, parts };
  } finally {
    model.close();
  }
}
