// The commands by name.
import type { Command, CommandGroup } from './command.js';

export interface CommandEntry {
  summary: string;
  load(): Promise<{ default: Command | CommandGroup }>;
}

/** Each is loaded when it is called: the list alone compiles nothing else. */
export const COMMANDS: Record<string, CommandEntry> = {
  embed: { summary: 'turn texts into embedding vectors', load: () => import('./commands/embed.js') },
  search: { summary: 'find passages by meaning', load: () => import('./commands/search.js') },
  rerank: { summary: 'order texts by their relevance to a query', load: () => import('./commands/rerank.js') },
  label: { summary: 'label texts', load: () => import('./commands/label.js') },
  entities: { summary: 'find names, places and the like in texts', load: () => import('./commands/entities.js') },
  chat: { summary: 'chat with a model', load: () => import('./commands/chat.js') },
  generate: { summary: 'generate text', load: () => import('./commands/generate.js') },
  serve: { summary: "serve models over HTTP, in OpenAI's protocol", load: () => import('./commands/serve.js') },
  classify: { summary: 'classify images', load: () => import('./commands/classify.js') },
  images: { summary: 'find pictures by words or by a picture', load: () => import('./commands/images.js') },
  inspect: { summary: 'show what a model file contains', load: () => import('./commands/inspect.js') },
  validate: { summary: 'check model files from start to end', load: () => import('./commands/validate.js') },
  convert: { summary: 'convert and quantize models', load: () => import('./commands/convert.js') },
  tensor: { summary: 'export a tensor as a NumPy file', load: () => import('./commands/tensor.js') },
  tokenize: { summary: 'show the tokens of a text', load: () => import('./commands/tokenize.js') },
  detokenize: { summary: 'turn token ids back into text', load: () => import('./commands/detokenize.js') },
  logits: { summary: 'show the logits after a sequence of tokens', load: () => import('./commands/logits.js') },
  perplexity: { summary: 'measure how well a model predicts a text', load: () => import('./commands/perplexity.js') },
  kv: { summary: 'compress, decompress and compare KV cache files', load: () => import('./commands/kv.js') },
  pull: { summary: 'download a model from the Hugging Face Hub', load: () => import('./commands/pull.js') },
  models: { summary: 'list or delete downloaded models', load: () => import('./commands/models.js') },
  site: { summary: 'build the search for a static site', load: () => import('./commands/site.js') },
  assets: {
    summary: 'copy the files that web pages need next to their scripts',
    load: () => import('./commands/assets.js'),
  },
  bench: { summary: 'measure the speed of this machine', load: () => import('./commands/bench.js') },
};
