import * as ort from 'onnxruntime-web';

import type { Contestant, Inputs, Job, Models } from './contestant.js';
import { meanPooled, padded } from './sequences.js';
import { serve } from './stage.js';

// The files are served by this site; by default the library looks for them next to its script.
ort.env.wasm.wasmPaths = {
  wasm: new URL('../../node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm', import.meta.url),
  mjs: new URL('../../node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.mjs', import.meta.url),
};
const embedderFile = new URL('../../../build/web/comparison/embedder.onnx', import.meta.url);
const classifierFile = new URL('../../../build/web/comparison/classifier.onnx', import.meta.url);

const PICTURE_SHAPE = [1, 3, 32, 32];

class OnnxRuntime implements Contestant {
  private constructor(
    private readonly embedder: ort.InferenceSession,
    private readonly classifier: ort.InferenceSession | undefined,
  ) {}

  static async open(threads: number, models: Models): Promise<OnnxRuntime> {
    ort.env.wasm.numThreads = threads;
    return new OnnxRuntime(await load(embedderFile), models === 'all' ? await load(classifierFile) : undefined);
  }

  get runtime(): string {
    return `${ort.env.versions.web}, threads: ${ort.env.wasm.numThreads}`;
  }

  /** The time excludes tokenizing and pooling, which the library leaves to the caller. */
  async run(job: Job, inputs: Inputs): Promise<ort.Tensor[]> {
    if (job !== 'pictures') return [await this.states(job === 'tokens' ? [inputs.tokens] : inputs.sentences.ids)];
    const logits = [];
    for (const picture of inputs.pictures) {
      const answer = await this.classifier!.run({ image: new ort.Tensor('float32', picture, PICTURE_SHAPE) });
      logits.push(answer['logits']!);
    }
    return logits;
  }

  async answers(job: Job, inputs: Inputs): Promise<Float32Array[]> {
    const tensors = await this.run(job, inputs);
    if (job === 'pictures') return tensors.map(({ data }) => data as Float32Array);
    const { data, dims } = tensors[0]!;
    const sequences = job === 'tokens' ? [inputs.tokens] : inputs.sentences.ids;
    return meanPooled(
      data as Float32Array,
      dims,
      sequences.map(({ length }) => length),
    );
  }

  private async states(sequences: number[][]): Promise<ort.Tensor> {
    const { ids, mask, shape } = padded(sequences);
    const tensor = (values: BigInt64Array) => new ort.Tensor('int64', values, shape);
    const answer = await this.embedder.run({
      input_ids: tensor(ids),
      attention_mask: tensor(mask),
      token_type_ids: tensor(new BigInt64Array(ids.length)),
    });
    return answer['last_hidden_state']!;
  }
}

async function load(file: URL): Promise<ort.InferenceSession> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file.pathname}: the server answered ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return ort.InferenceSession.create(bytes, { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
}

serve({ open: OnnxRuntime.open });
