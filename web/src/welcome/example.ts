import { Embedder, SearchIndex } from 'quintet';
import { embedder } from 'quintet-models';

const sentences = ['A puppy chases a ball.', 'Interest rates went up.', 'The soup needs more salt.'];

const model = await Embedder.load(embedder);
const index = new SearchIndex({ embedder: model });
await index.addTexts(sentences.map((text) => ({ id: text, text })));

export const results = await index.search('a young dog at play', { mode: 'vector' });
