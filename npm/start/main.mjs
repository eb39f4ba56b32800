// `npm start`: shows what the bundled models can do on this machine.
import { classifyPictures } from './classify.mjs';
import { answerQuestions } from './search.mjs';
import { searchDocumentation } from './site.mjs';

await answerQuestions();
await searchDocumentation();
await classifyPictures();
