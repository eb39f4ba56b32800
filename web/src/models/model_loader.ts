// A model that the visitor chooses by name or from files, for the parts of a page that can do without one until then.

import type { CommonLoadOptions, LoadedModelInfo, LoadProgress, ModelFolder, ModelSource } from 'quintet';

import { element } from '../shared/dom.js';
import { dropArea } from '../shared/drop_area.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import { showRuntime } from '../shared/runtime_status.js';
import { hub } from './hub.js';
import { modelField, type SuggestedModel } from './model_field.js';
import { nameOf, sourceOf } from './model_files.js';

interface Loaded {
  readonly info: LoadedModelInfo;
  close(): void;
}

export class ModelLoader<Model extends Loaded> {
  model: Model | undefined;
  private readonly loading = element('div', { className: 'loading' });
  private readonly runtime = element('div', { className: 'status', role: 'status' });
  private loads = 0;

  /** Fills `host` with the form, the drop area and the state. `onModel` is called when a model is ready. */
  constructor(
    host: HTMLElement,
    suggested: readonly SuggestedModel[],
    private readonly loadModel: (source: ModelSource | ModelFolder, options: CommonLoadOptions) => Promise<Model>,
    private readonly onModel: (model: Model) => void,
  ) {
    const form = element('form', { className: 'stack named-model' });
    const input = element('input', { type: 'file', multiple: true });
    const hint = 'config.json, tokenizer.json and model.safetensors of a folder, chosen together; or a GGUF file.';
    const label = element(
      'label',
      { className: 'drop' },
      input,
      element('strong', {}, 'Your own model'),
      element('span', { className: 'hint' }, hint),
    );
    host.append(form, label, this.loading, this.runtime);
    modelField(form, suggested, ({ name, source }) => void this.load(name, source, true));
    dropArea(label, (files) => void this.load(nameOf(files), sourceOf(files), false));
  }

  /** The old model stays until the new one is ready. */
  private async load(name: string, source: ModelSource | ModelFolder, isNamed: boolean): Promise<void> {
    const number = ++this.loads;
    const progress = new ProgressBar(this.loading);
    const onProgress = (step: LoadProgress) => {
      if (number === this.loads) progress.load(name, step, isNamed ? undefined : 'Reading');
    };
    try {
      // Named models are kept for the next visit.
      const model = await this.loadModel(source, { ...hub, cache: isNamed, onProgress });
      if (number !== this.loads) return model.close();
      progress.hide();
      this.model?.close();
      this.model = model;
      showRuntime(this.runtime, model.info, name);
      this.onModel(model);
    } catch (error) {
      if (number === this.loads) showProblem(this.loading, `${name} cannot be used`, error, { open: true });
    }
  }
}
