// `npm start`: what the bundled models can do, all on this machine.
import { answerQuestions } from './search.mjs';
import { tellStory } from './story.mjs';

await answerQuestions();
await tellStory();
