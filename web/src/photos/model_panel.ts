import type { ImageEmbedder, LoadProgress, ModelInput } from 'quintet';
import { hub } from '../models/hub.js';
import { modelField } from '../models/model_field.js';
import { nameOf, sourceOf } from '../models/model_files.js';
import { imageEmbedders } from '../models/suggested_models.js';
import { byId } from '../shared/dom.js';
import { count } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import { showRuntime } from '../shared/runtime_status.js';
import type { KnownModel } from './library/protocol.js';
import { knowsWords, loadModel } from './photo_search.js';
import { probePicture } from './probe.js';

const bundled: KnownModel = { name: 'the classifier', isBundled: true };

/** Loads the model that the visitor chooses. The old model stays until the new one is ready. */
export class ModelPanel {
  private readonly loading = byId('loading', HTMLElement);
  private readonly runtime = byId('runtime', HTMLElement);
  private readonly bundledButton = byId('bundled', HTMLButtonElement);
  private loads = 0;
  private inUse: KnownModel | undefined;

  constructor(
    /** `probe`: the vector of a fixed picture, which distinguishes the model from others. */
    private readonly onModel: (model: ImageEmbedder, known: KnownModel, probe: Float32Array) => Promise<void>,
  ) {
    modelField(
      byId('named-model', HTMLFormElement),
      imageEmbedders,
      ({ name, source }) => void this.load({ name, source, isBundled: false }, source),
    );
    this.bundledButton.onclick = () => void this.load(bundled);
    const files = byId('model-files', HTMLInputElement);
    files.onchange = () => {
      const chosen = [...(files.files ?? [])];
      files.value = '';
      if (chosen.length > 0) void this.load({ name: nameOf(chosen), isBundled: false }, sourceOf(chosen));
    };
  }

  /** The model of the last visit. Gives the reason why there is none yet. */
  start(last: KnownModel = bundled): string | undefined {
    if (last.isBundled || last.source !== undefined) return void this.load(last, last.source);
    this.bundledButton.hidden = false;
    return `Vectors are those of ${last.name}. Choose its files again under "Model" to search by words or add pictures.`;
  }

  private async load(known: KnownModel, source?: ModelInput): Promise<void> {
    const number = ++this.loads;
    const progress = new ProgressBar(this.loading);
    // Named models are kept for the next visit.
    const cache = known.source !== undefined;
    const verb = cache || known.isBundled ? 'Downloading' : 'Reading';
    const onProgress = (step: LoadProgress) => {
      if (number === this.loads) progress.load(known.name, step, verb);
    };
    try {
      const model = await loadModel(source, { ...hub, cache, onProgress });
      const probe = await model.embedImage(probePicture());
      if (number !== this.loads) return model.close();
      progress.hide();
      this.inUse = known;
      this.bundledButton.hidden = known.isBundled;
      showRuntime(
        this.runtime,
        model.info,
        `vectors of ${count(model.dimension)}`,
        knowsWords(model) ? 'pictures and words' : 'pictures only',
      );
      await this.onModel(model, known, probe);
    } catch (error) {
      if (number !== this.loads) return;
      this.bundledButton.hidden = (this.inUse ?? known).isBundled;
      showProblem(this.loading, `${known.name} could not be loaded`, error, {
        again: () => void this.load(known, source),
      });
    }
  }
}
