import { convert, Embedder, ImageClassifier, TextGenerator } from 'quintet';
import { classifier, embedder, pictures, storyteller } from 'quintet-models';
import { answerOf, download, jobsOf } from './jobs.js';

const quintet = { convert, Embedder, ImageClassifier, TextGenerator };
const models = { classifier, embedder, pictures, storyteller };
const jobs = jobsOf(quintet, models, download);
globalThis.answer = (request) => answerOf(jobs, request);
