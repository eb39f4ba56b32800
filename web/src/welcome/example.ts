import { Embedder, SearchIndex } from 'quintet';
import { embedder } from 'quintet-models';

const sentences = [
  'A puppy chases a ball.',
  'Interest rates went up.',
  'The soup needs more salt.',
];

const model = await Embedder.load(embedder);
const index = new SearchIndex({ dimension: model.dimension });
for (const sentence of sentences) index.add(sentence, await model.embed(sentence));

const question = await model.embed('a young dog at play');
export const results = index.search(question);
