import type { ClassifierLoadOptions, ImageInput, ModelSource } from 'quintet';
import { ImageClassifier } from 'quintet';
import { classifier, classifierLabels } from 'quintet-models';

/** The model of this page: a file, and the names of its classes. */
export const bundled = { source: classifier, labels: classifierLabels };

export const loadModel = (
  source: ModelSource = bundled.source,
  options: ClassifierLoadOptions = { labels: bundled.labels },
) => ImageClassifier.load(source, options);

/** The five most likely classes of a File, an <img>, a <canvas>, a <video>, … */
export const classify = (model: ImageClassifier, image: ImageInput) => model.classify(image, { topK: 5 });
