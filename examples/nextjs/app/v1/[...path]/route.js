// OpenAI's protocol under /v1, for any of its clients.
import { Embedder, TextGenerator } from 'quintet';
import { openAI } from 'quintet/openai';
import { embedder, storyteller } from 'quintet-models';

let stories;
let minilm;
const answer = openAI({
  models: {
    stories: () => (stories ??= TextGenerator.load(storyteller, { worker: true })),
    minilm: () => (minilm ??= Embedder.load(embedder, { worker: true })),
  },
});

export const GET = (request) => answer(request);
export const POST = (request) => answer(request);
