import '../shared/shell.js';

import type { Entity, TextLabel } from 'quintet';
import { ModelLoader } from '../models/model_loader.js';
import { entityModels, textClassifiers } from '../models/suggested_models.js';
import { byId, element } from '../shared/dom.js';
import { Latest } from '../shared/latest.js';
import { counted, milliseconds, percent } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import { entitiesIn, labelsOf, loadClassifier, loadDetector, piecesOf } from './labelling.js';

const field = byId('text', HTMLTextAreaElement);
const own = byId('own-labels', HTMLInputElement);
const marked = byId('marked', HTMLElement);
const legend = byId('legend', HTMLUListElement);

const classifier = new ModelLoader(byId('classifier', HTMLElement), textClassifiers, loadClassifier, () =>
  labels.ask(),
);
const detector = new ModelLoader(byId('detector', HTMLElement), entityModels, loadDetector, () => entities.ask());

const labels = asTyped('label', async (text) => {
  const { model } = classifier;
  if (!model) return undefined;
  const names = own.value.split(',').map((name) => name.trim());
  const found = await labelsOf(model, text, names.filter(Boolean));
  return { show: () => showLabels(found), words: counted(found.length, 'label') };
});
const entities = asTyped('entity', async (text) => {
  const { model } = detector;
  if (!model) return undefined;
  const found = await entitiesIn(model, text);
  return { show: () => showEntities(text, found), words: counted(found.length, 'mark') };
});

interface Finding {
  show(): void;
  words: string;
}

/** Asks a model about the text as it is typed, and shows the newest answer with the time that it took. */
function asTyped(name: string, find: (text: string) => Promise<Finding | undefined>): { ask(): void } {
  const state = byId(`${name}-state`, HTMLElement);
  const problem = byId(`${name}-problem`, HTMLElement);
  const questions = new Latest<string>(
    async (text) => {
      const begin = performance.now();
      const found = await find(text);
      const took = milliseconds(performance.now() - begin);
      return () => {
        if (!found) return;
        problem.replaceChildren();
        found.show();
        state.textContent = `${found.words} in ${took}`;
      };
    },
    (error) => showProblem(problem, 'This text could not be read', error, { open: true }),
  );
  return { ask: () => questions.ask(field.value) };
}

function showLabels(found: readonly TextLabel[]): void {
  byId('label-list', HTMLOListElement).replaceChildren(...found.map(labelItem));
}

function labelItem({ label, score }: TextLabel): HTMLElement {
  const meter = element('span', { className: 'meter', ariaHidden: 'true' });
  meter.style.setProperty('--value', String(Math.max(0, Math.min(1, score))));
  // Models that were trained for numbers give any number.
  const words = score >= 0 && score <= 1 ? percent(score) : score.toFixed(2);
  return element('li', {}, element('span', {}, label), element('span', { className: 'number' }, words), meter);
}

/** Colours for labels, in the order in which they come up. */
const tones = 5;

function showEntities(text: string, found: readonly Entity[]): void {
  const kinds = [...new Set(found.map(({ label }) => label))];
  const toneOf = (label: string) => `tone-${(kinds.indexOf(label) % tones) + 1}`;
  marked.replaceChildren(
    ...piecesOf(text, found).map((piece) =>
      typeof piece === 'string'
        ? piece
        : element(
            'mark',
            { className: toneOf(piece.label) },
            text.slice(piece.start, piece.end),
            element('small', {}, ` ${piece.label}`),
          ),
    ),
  );
  legend.replaceChildren(
    ...kinds.map((kind) => {
      const times = found.filter(({ label }) => label === kind).length;
      return element('li', { className: toneOf(kind) }, `${kind}: ${times}`);
    }),
  );
}

field.oninput = () => {
  labels.ask();
  entities.ask();
};
own.oninput = () => labels.ask();
