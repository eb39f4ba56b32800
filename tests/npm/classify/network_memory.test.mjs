// The memory of a network of real size: its weights once, and little more.
import { instanceOf } from '../helpers/native_instance.mjs';
import { largestActivation, wideResNets } from './wide_resnet.mjs';

const megabyte = 1 << 20;
const side = 224;

function load(native, file) {
  const loader = new native.ClassifierLoader('', '', false);
  expect(loader.beginFile('', file.length)).toMatchObject({ ok: true });
  for (let at = 0; at < file.length; at += megabyte) {
    const chunk = file.subarray(at, at + megabyte);
    loader.window(chunk.length).set(chunk);
    expect(loader.feed(chunk.length)).toMatchObject({ ok: true });
  }
  expect(loader.endFile()).toMatchObject({ ok: true });
  const { value } = loader.finish();
  loader.delete();
  return value;
}

function classify(classifier) {
  classifier.inputWindow(3 * side * side).fill(0.25);
  expect(classifier.beginInput(3, side, side)).toMatchObject({ ok: true });
  for (let step = classifier.step(); !step.value; step = classifier.step()) expect(step.ok).toBe(true);
  return classifier.take();
}

test.each(Object.entries(wideResNets))(
  'a %s ResNet-18 takes its weights, three activations and 8 MB at most',
  async (kind, make) => {
    const { file, weights } = make();
    const native = await instanceOf('classifier');
    const empty = native.heapBytes();
    const classifier = load(native, file);
    const { memory } = JSON.parse(classifier.info());
    expect(classify(classifier)).toHaveLength(1000);
    const peak = native.heapBytes();
    expect(peak).toBeLessThanOrEqual(weights + 3 * largestActivation + 8 * megabyte);

    // `info` reports the memory that it uses, and no less.
    expect(memory.weights).toBeGreaterThanOrEqual(0.97 * weights);
    expect(memory.weights).toBeLessThanOrEqual(1.03 * weights);
    expect(peak - empty).toBeLessThanOrEqual(memory.load + megabyte);
    expect(peak - empty).toBeGreaterThanOrEqual(memory.load - 3 * largestActivation);

    // A second picture finds room where the first was; another load where this one was.
    classify(classifier);
    classifier.delete();
    const again = load(native, file);
    classify(again);
    again.delete();
    const second = native.heapBytes();
    expect(second).toBeLessThanOrEqual(peak + megabyte);
    for (let i = 0; i < 4; ++i) {
      const more = load(native, file);
      classify(more);
      more.delete();
    }
    expect(native.heapBytes()).toBe(second);
    expect(native.liveObjects()).toBe(0);
  },
);
