// Tells a story with the bundled story model, word by word.
import { fileURLToPath } from 'node:url';
import { TextGenerator } from 'quintet';
import { storyteller as model } from '../../models/index.js';
import { bold, dim, engine, flow, milliseconds } from './terminal.mjs';

const TOKENS = 300;

/** Greedy, so that the story is the same on every machine. */
export async function tellStory() {
  const generator = await load();
  const generation = generator.generate('', { temperature: 0, maxTokens: TOKENS });
  const text = flow('  ');
  for await (const piece of generation) text.write(piece.text);
  text.end();
  const { tokens, decodeMs } = await generation.finished;
  console.log(`${tokens} tokens at ${Math.round((1000 * tokens) / decodeMs)} tokens/s.`);
  console.log(dim('Try it: npx . generate --prompt "Once upon a time, a dragon" --temp 0.8'));
  generator.close();
}

async function load() {
  const started = performance.now();
  const loaded = await TextGenerator.load(model);
  const name = fileURLToPath(model).split(/[\\/]/).at(-1);
  console.log(`\nLoaded ${bold(name)} in ${milliseconds(started)}; ${engine(loaded.info.runtime)}.`);
  return loaded;
}
