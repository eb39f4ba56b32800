import type { ClassifierLoadOptions, ImageInput, ModelInput } from 'quintet';
import { ImageClassifier } from 'quintet';
import { classifier } from 'quintet-models';

/** The model of this page. */
export const bundled = classifier;

export const loadModel = (source: ModelInput = bundled, options: ClassifierLoadOptions = {}) =>
  ImageClassifier.load(source, options);

/** The five most likely classes of a File, an <img>, a <canvas>, a <video>, … */
export const classify = (model: ImageClassifier, image: ImageInput) => model.classify(image, { topK: 5 });
