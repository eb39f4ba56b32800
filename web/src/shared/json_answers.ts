// Answers as JSON: a switch, the schema, and the value that a program gets from the last answer.

import type { GenerateOptions, GenerationSummary } from 'quintet';
import { compileGrammar, QuintetError } from 'quintet';

import { element } from './dom.js';
import { placeIn } from './json_places.js';
import { valueTree } from './value_tree.js';

const CUT = {
  length: 'It was cut off: allow more tokens.',
  abort: 'It was stopped.',
};

export class JsonAnswers {
  private readonly switched: HTMLInputElement;
  private readonly schema = element('textarea', { id: 'schema', className: 'code', rows: 10, spellcheck: false });
  private readonly hint = element(
    'small',
    { id: 'schema-hint' },
    'The answer always matches this schema, however little the model knows.',
  );
  private readonly wrong = element('div', { id: 'schema-problem', role: 'alert' });
  private readonly parsed = element('div', { id: 'parsed', className: 'stack', role: 'status' });

  /** `host` has the switch, a checkbox. `onSwitch` is called when it is used. */
  constructor(host: HTMLElement, example: object, onSwitch: () => void = () => {}) {
    this.switched = host.querySelector('input')!;
    this.schema.value = JSON.stringify(example, null, 2);
    this.schema.setAttribute('aria-describedby', `${this.hint.id} ${this.wrong.id}`);
    const label = element('label', { className: 'field' }, element('span', {}, 'JSON schema'), this.schema, this.hint);
    const form = element('div', { className: 'stack' }, label, this.wrong, this.parsed);
    host.append(form);
    this.switched.onchange = () => {
      form.hidden = !this.isOn;
      this.parsed.replaceChildren();
      if (this.isOn) void this.check();
      onSwitch();
    };
    form.hidden = !this.isOn;
    this.schema.onchange = () => void this.check();
    this.schema.oninput = () => this.showWrong();
  }

  get isOn(): boolean {
    return this.switched.checked;
  }

  /** @throws what is wrong with the schema, which is also shown below it */
  async option(): Promise<Pick<GenerateOptions, 'jsonSchema'>> {
    this.parsed.replaceChildren();
    if (!this.isOn) return {};
    const error = await this.check();
    if (error) throw error;
    return { jsonSchema: JSON.parse(this.schema.value) as object };
  }

  /** Shows the value of an answer if JSON was requested. */
  show(content: string, { reason }: GenerationSummary): void {
    if (!this.isOn) return;
    const value = jsonIn(content);
    if (value === undefined || reason === 'length' || reason === 'abort') {
      const why = reason === 'length' || reason === 'abort' ? CUT[reason] : '';
      this.parsed.replaceChildren(element('p', { className: 'hint' }, `The answer is not complete. ${why}`));
    } else {
      this.parsed.replaceChildren(element('h3', {}, 'What a program gets'), valueTree(value));
    }
  }

  private async check(): Promise<Error | undefined> {
    const text = this.schema.value;
    const error = await problemOf(text);
    // It may have been edited meanwhile.
    if (this.schema.value === text) this.showWrong(error);
    return error;
  }

  private showWrong(error?: Error): void {
    this.schema.ariaInvalid = String(error !== undefined);
    if (!error) return this.wrong.replaceChildren();
    const box = element('div', { className: 'notice bad' });
    const place = error instanceof QuintetError ? placeIn(this.schema.value, error.message) : undefined;
    if (place) {
      const line = this.schema.value.slice(0, place.start).split('\n').length;
      const show = element('button', { type: 'button', className: 'chip' }, 'Show the place');
      show.onclick = () => {
        this.schema.focus();
        this.schema.setSelectionRange(place.start, place.end);
      };
      box.append(
        element('strong', {}, `Line ${line} of the schema`),
        element('p', {}, error.message),
        element('div', {}, show),
      );
    } else {
      box.append(element('strong', {}, 'The schema cannot be used'), element('p', {}, error.message));
    }
    this.wrong.replaceChildren(box);
  }
}

/** The problem of a schema, in the library's own words. */
async function problemOf(text: string): Promise<Error | undefined> {
  let jsonSchema;
  try {
    jsonSchema = JSON.parse(text) as object;
  } catch (error) {
    return new Error(`The schema is not JSON: ${(error as Error).message}`, { cause: error });
  }
  try {
    (await compileGrammar({ jsonSchema })).close();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** Undefined if a text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
