// `npm start`: shows what the bundled models can do on this machine.
import { classifyPictures } from './classify.mjs';
import { answerQuestions } from './search.mjs';
import { tellStory } from './story.mjs';

await answerQuestions();
await tellStory();
await classifyPictures();
