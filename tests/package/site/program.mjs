// The jobs that its argument names, as a program of Node, Deno or Bun: answers in JSON.
import { readFile } from 'node:fs/promises';
import { convert, Embedder, ImageClassifier, TextGenerator } from 'quintet';
import * as models from 'quintet-models';
import { jobsOf } from './jobs.js';

const jobs = jobsOf({ convert, Embedder, ImageClassifier, TextGenerator }, models, readFile);
const answers = [];
for (const { job, ...options } of JSON.parse(process.argv[2])) answers.push(await jobs[job](options));
console.log(JSON.stringify(answers));
