import '../shared/shell.js';

import type { Classification, ImageClassifier, ImageInput } from 'quintet';
import { pictures } from 'quintet-models';
import { hub } from '../models/hub.js';
import { modelField } from '../models/model_field.js';
import { classifiers } from '../models/suggested_models.js';
import { byId, element } from '../shared/dom.js';
import { dropArea } from '../shared/drop_area.js';
import { count } from '../shared/numbers.js';
import { showProblem } from '../shared/problem.js';
import { ProgressBar } from '../shared/progress.js';
import { showRuntime } from '../shared/runtime_status.js';
import { Answer } from './answer.js';
import { Batch } from './batch.js';
import { Camera } from './camera.js';
import * as classification from './classification.js';
import { type Model, modelIn } from './model_files.js';
import { Teaching } from './teaching.js';

/**
 * Milliseconds between two pictures of the camera: a few per second are enough, and leave the machine time for other
 * work.
 */
const LIVE_PAUSE = 100;

const bundled: Model = { name: 'the classifier', source: classification.bundled, labels: undefined };

const problem = byId('problem', HTMLElement);
const picture = byId('picture', HTMLImageElement);
const video = byId('video', HTMLVideoElement);
const cameraButton = byId('camera', HTMLButtonElement);
const stopButton = byId('stop-camera', HTMLButtonElement);
const bundledButton = byId('bundled', HTMLButtonElement);
const answer = new Answer();
const camera = new Camera(video);
const batch = new Batch();
const teaching = new Teaching({
  model: () => classifier,
  async camera() {
    if (!camera.isOn) await startCamera();
    return camera.isOn ? video : undefined;
  },
  onChange: () => shown && void classifyShown(shown),
});

let model = bundled;
let classifier: ImageClassifier | undefined;
/** The picture on show: another model classifies it again. */
let shown: Blob | undefined;

async function loadModel(wanted: Model): Promise<void> {
  problem.replaceChildren();
  const progress = new ProgressBar(byId('loading', HTMLElement));
  try {
    const isLocal = typeof wanted.source !== 'string' && !(wanted.source instanceof URL);
    const verb = isLocal ? 'Reading' : undefined;
    const loaded = await classification.loadModel(wanted.source, {
      ...(wanted.labels ? { labels: wanted.labels } : {}),
      ...hub,
      // Named models are kept for the next visit.
      cache: typeof wanted.source === 'string',
      onProgress: (state) => progress.load(wanted.name, state, verb),
    });
    batch.stop();
    classifier?.close();
    classifier = loaded;
    teaching.forget();
    model = wanted;
  } catch (error) {
    return showProblem(problem, `${wanted.name} could not be loaded`, error, { again: () => void loadModel(wanted) });
  } finally {
    progress.hide();
  }
  bundledButton.hidden = model === bundled;
  cameraButton.disabled = false;
  const { inputSize, labels } = classifier;
  showRuntime(
    byId('runtime', HTMLElement),
    classifier.info,
    `sees ${inputSize} x ${inputSize}`,
    `${count(labels.length)} classes`,
  );
  if (shown) await classifyShown(shown);
}

/** The most likely classes, and how many milliseconds they took. */
async function timed(image: ImageInput): Promise<[Classification[], number]> {
  const begin = performance.now();
  const classes = teaching.isUsed
    ? await teaching.classify(classifier!, image)
    : await classification.classify(classifier!, image);
  return [classes, performance.now() - begin];
}

async function classifyShown(blob: Blob): Promise<void> {
  shown = blob;
  if (!classifier) return;
  try {
    const [classes, time] = await timed(blob);
    // There may be another picture by now.
    if (shown === blob) answer.show(classes, time);
  } catch (error) {
    answer.clear();
    showProblem(problem, 'This picture cannot be classified', error);
  }
}

function show(element?: HTMLElement): void {
  for (const one of [picture, video, byId('nothing', HTMLElement)]) one.hidden = one !== element;
}

function takePicture(blob: Blob, sample?: string): void {
  stopCamera();
  problem.replaceChildren();
  for (const button of samples) button.ariaPressed = String(button.dataset['name'] === sample);
  URL.revokeObjectURL(picture.src);
  picture.src = URL.createObjectURL(blob);
  show(picture);
  void classifyShown(blob);
}

async function takeFiles(files: readonly File[]): Promise<void> {
  try {
    const found = await modelIn(files);
    if (found) return await loadModel({ ...model, ...found });
    if (files.length === 1) return takePicture(files[0]!);
    const images = files.filter(({ type }) => type.startsWith('image/'));
    if (images.length > 0 && classifier) await batch.run(images, timed);
  } catch (error) {
    showProblem(problem, 'These labels cannot be read', error);
  }
}

/** Shows the camera's picture and its classes until it is stopped. */
async function startCamera(): Promise<void> {
  problem.replaceChildren();
  cameraButton.disabled = true;
  try {
    await camera.start();
  } catch (error) {
    cameraButton.disabled = false;
    return showProblem(problem, 'No camera', error, { again: () => void startCamera() });
  }
  shown = undefined;
  for (const button of samples) button.ariaPressed = 'false';
  show(video);
  [cameraButton.hidden, stopButton.hidden] = [true, false];
  void classifyCamera();
}

async function classifyCamera(): Promise<void> {
  try {
    while (camera.isOn) {
      const [classes, time] = await timed(video);
      if (camera.isOn) answer.showLive(classes, time);
      await new Promise((resolve) => setTimeout(resolve, LIVE_PAUSE));
    }
  } catch (error) {
    // Replacing the model, or switching the camera off, interrupts a picture.
    if (camera.isOn) showProblem(problem, 'The camera picture cannot be classified', error);
  }
  stopCamera();
}

function stopCamera(): void {
  if (cameraButton.hidden) {
    camera.stop();
    show(byId('nothing', HTMLElement));
  }
  [cameraButton.hidden, cameraButton.disabled, stopButton.hidden] = [false, !classifier, true];
}

const samples = Object.entries(pictures).map(([name, url]) => {
  const photo = element('img', { src: url.href, alt: '', width: 64, height: 64, loading: 'lazy' });
  const button = element(
    'button',
    { type: 'button', className: 'sample', ariaPressed: 'false' },
    photo,
    element('span', {}, name),
  );
  button.dataset['name'] = name;
  button.onclick = async () => {
    try {
      takePicture(await (await fetch(url)).blob(), name);
    } catch (error) {
      showProblem(problem, 'The photograph could not be loaded', error);
    }
  };
  return button;
});
byId('samples', HTMLElement).append(element('div', { className: 'samples-grid' }, ...samples));

dropArea(byId('pictures', HTMLLabelElement), (files) => void takeFiles(files), document.body);
for (const id of ['own-model', 'folder']) {
  const input = byId(id, HTMLInputElement);
  input.onchange = () => {
    const files = [...(input.files ?? [])];
    input.value = '';
    if (files.length > 0) void takeFiles(files);
  };
}
modelField(
  byId('named-model', HTMLFormElement),
  classifiers,
  (named) => void loadModel({ ...named, labels: undefined }),
);
document.addEventListener('paste', ({ clipboardData }) => {
  const [file] = [...(clipboardData?.files ?? [])];
  if (file) takePicture(file);
});
cameraButton.onclick = () => void startCamera().then(() => stopButton.focus());
stopButton.onclick = () => {
  stopCamera();
  cameraButton.focus();
};
bundledButton.onclick = () => void loadModel(bundled);
void loadModel(bundled);
