// The memory that `inspect` tells before a load, compared with what loading and a first use take.
//
//   node bench/memory.mjs [NAME]...     (default: all of SUBJECTS; a name may be the beginning of one)
//
// A row for each: reported and taken, in MB, and their quotient. Every model is loaded in its own process, by one thread.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { quintetEntry, REPOSITORY } from './harness/paths.mjs';
import { ggufFile, prepareModels, quintetFile } from './models/decoder/prepare.mjs';
import { MODEL_FILES, prepareEmbedder } from './models/encoder/prepare.mjs';
import * as resnets from './models/resnet/prepare.mjs';
import { prepareTowers, prepareVision, towerFiles, visionFiles } from './models/vision/prepare.mjs';

const bundled = (name) => async () => join(REPOSITORY, 'models', name);

/** A shape of bench/models/decoder_shapes.mjs. */
const decoder =
  (shape, path = ggufFile) =>
  async () => {
    await prepareModels([shape]);
    return path(shape);
  };
const network = (name) => async () => {
  await prepareVision([name]);
  return visionFiles(name).quintet.fp32;
};
const resnet = (name, form) => async () => {
  await resnets.prepareModels([name]);
  return resnets.modelFiles(name).quintet[form];
};
const minilm = (form) => async () => {
  await prepareEmbedder();
  return MODEL_FILES.quintet[form];
};
const towers = (name) => async () => {
  await prepareTowers([name]);
  return towerFiles(name).quintet;
};

const SHORT = { contextLength: 256 };

/** The class that loads it, its file, and the options that `inspect` and `load` share. */
const SUBJECTS = {
  'bundled embedder': ['Embedder', bundled('embedder-int8.weights')],
  'bundled story model': ['TextGenerator', bundled('stories260k.amb')],
  'bundled classifier': ['ImageClassifier', bundled('mobilenet_v2_imagenet.safetensors')],
  'MiniLM float32': ['Embedder', minilm('fp32')],
  'MiniLM float32 to int8': ['Embedder', minilm('fp32'), { quantize: 'int8' }],
  'MiniLM int8': ['Embedder', minilm('int8')],
  'stories Q4_0': ['TextGenerator', decoder('stories-15M'), SHORT],
  'stories int4block': ['TextGenerator', decoder('stories-15M', quintetFile), SHORT],
  'Gemma 3 270M Q4_K_M': ['TextGenerator', decoder('gemma-3-270m'), SHORT],
  'Gemma 3 270M Q8_0': ['TextGenerator', decoder('gemma-3-270m-q8'), SHORT],
  'SmolLM2 360M Q4_K_M': ['TextGenerator', decoder('smollm2-360m'), SHORT],
  'SmolLM2 360M Q8_0': ['TextGenerator', decoder('smollm2-360m-q8'), { ...SHORT, kvCache: 'int8' }],
  'KV cache': ['TextGenerator', decoder('TinyLlama-KV'), { contextLength: 1024 }],
  'KV cache float16': ['TextGenerator', decoder('TinyLlama-KV'), { contextLength: 1024, kvCache: 'f16' }],
  'ResNet-18 float32': ['ImageClassifier', resnet('ResNet-18', 'fp32')],
  'ResNet-18 dq8': ['ImageClassifier', resnet('ResNet-18', 'dq8')],
  'ResNet-18 sq8': ['ImageClassifier', resnet('ResNet-18', 'sq8')],
  'ResNet-50 float32': ['ImageClassifier', resnet('ResNet-50', 'fp32')],
  'ResNet-50 sq8': ['ImageClassifier', resnet('ResNet-50', 'sq8')],
  MobileNetV2: ['ImageClassifier', network('MobileNetV2')],
  'MobileNetV2 to int8': ['ImageClassifier', network('MobileNetV2'), { quantize: 'int8' }],
  'EfficientNet-B0': ['ImageClassifier', network('EfficientNet-B0')],
  'ViT-B/16': ['ImageClassifier', network('ViT-B/16')],
  'CLIP, both': ['ImageEmbedder', towers('CLIP ViT-B/32')],
  'CLIP, images': ['ImageEmbedder', towers('CLIP ViT-B/32'), { towers: 'image' }],
  'CLIP, texts': ['ImageEmbedder', towers('CLIP ViT-B/32'), { towers: 'text' }],
};

const picture = () => ({ data: new Uint8Array(224 * 224 * 3).fill(99), width: 224, height: 224, channels: 3 });

/** The use that `memory.load` is defined for. */
const FIRST_USE = {
  Embedder: (model) => model.embedIds(Array(Math.min(256, model.maxLength)).fill(7)),
  async TextGenerator(model) {
    const prompt = Array(model.contextLength - 1).fill(7);
    for await (const _ of model.generate(prompt, { maxTokens: 1 }));
  },
  ImageClassifier: (model) => model.classify(picture()),
  async ImageEmbedder(model, { towers = 'both' }) {
    if (towers !== 'text') await model.embedImage(picture());
    if (towers !== 'image') await model.embedText('a picture');
  },
};

const quintet = await import(quintetEntry());
if (process.argv[2] === '--measure') console.log(JSON.stringify(await measure(JSON.parse(process.argv[3]))));
else await compare(process.argv.slice(2));

async function measure({ type, file, options }) {
  const model = await quintet[type].load(file, { ...options, threads: 1, worker: false });
  const loaded = quintet.capabilities().memory.heapBytes;
  await FIRST_USE[type](model, options);
  return { loaded, used: quintet.capabilities().memory.heapBytes, info: model.info.memory };
}

async function compare(names) {
  const chosen = Object.entries(SUBJECTS).filter(
    ([subject]) => names.length === 0 || names.some((name) => subject.startsWith(name)),
  );
  for (const [subject, [type, make, options = {}]] of chosen) {
    const file = await make();
    const { towers: _, ...load } = options;
    const { memory: reported } = await quintet.inspect(file, { load });
    const { loaded, used, info } = measuredApart({ type, file, options });
    const mb = (bytes) => (bytes / 1e6).toFixed(2).padStart(8);
    console.log(
      `${subject.padEnd(26)} reported${mb(reported.load)}  taken${mb(used)}  ${(reported.load / used).toFixed(3)}  ` +
        `(weights ${mb(reported.weights)}, really${mb(info.weights)}; loaded${mb(loaded)}, info.memory${mb(info.load)})`,
    );
  }
}

function measuredApart(subject) {
  const args = [fileURLToPath(import.meta.url), '--measure', JSON.stringify(subject)];
  const { stdout, status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`cannot measure ${subject.file}`);
  return JSON.parse(stdout);
}
