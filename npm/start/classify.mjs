// Classifies the bundled photographs with the bundled classifier.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ImageClassifier } from 'quintet';
import { classifier as model, pictures } from '../../models/index.js';
import { writeContactSheet } from './contact_sheet.mjs';
import { sideBySide } from './picture_blocks.mjs';
import { bold, coloured, dim, engine, green, milliseconds } from './terminal.mjs';

const CLASSES = 2;

/** Shows the photographs in the terminal if it has colours, else on a page. */
export async function classifyPictures() {
  const classifier = await load();
  const answers = [];
  for (const [name, file] of Object.entries(pictures)) {
    const bytes = await readFile(file);
    const started = performance.now();
    const classes = await classifier.classify(bytes, { topK: CLASSES });
    answers.push({ name, bytes, classes: classes.map(labelled), ms: milliseconds(started) });
  }
  if (coloured) await showInTerminal(answers);
  else await showTable(answers);
  console.log(`\nEach is one of ${classifier.labels.length - 1} things. It knows no burrowing owl, and no sunflower.`);
  console.log(dim('Try it: npx . classify models/pictures/cat.jpg (or a photo of your own)'));
  classifier.close();
}

async function load() {
  const started = performance.now();
  const loaded = await ImageClassifier.load(model);
  const name = fileURLToPath(model).split(/[\\/]/).at(-1);
  console.log(`\nLoaded ${bold(name)} in ${milliseconds(started)}; ${engine(loaded.info.runtime)}.\n`);
  return loaded;
}

/** A class has up to eight names; the first is enough here. */
const labelled = ({ label, score }) => `${label.split(', ')[0]} ${score.toFixed(2)}`;

async function showInTerminal(answers) {
  const captioned = answers.map(({ bytes, classes: [best, ...others], ms }) => ({
    bytes,
    captions: [
      { text: best, style: (text) => bold(green(text)) },
      ...others.map((other) => ({ text: other, style: dim })),
      { text: ms, style: dim },
    ],
  }));
  console.log(await sideBySide(captioned));
}

async function showTable(answers) {
  const widest = Math.max(...answers.map(({ name }) => name.length));
  for (const { name, classes, ms } of answers) {
    console.log(`  ${`${name}.jpg`.padEnd(widest + 6)}${classes.join(', ').padEnd(40)}${ms}`);
  }
  const page = await writeContactSheet(answers);
  console.log(`\nThe photographs with their labels: ${page}`);
}
