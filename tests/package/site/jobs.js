// Jobs that a page, a worker, an extension or a program does with the package.

/** `read` gives the bytes of a picture. */
export const jobsOf = (quintet, models, read) => ({
  async embed({ texts, ...options }) {
    const embedder = await quintet.Embedder.load(models.embedder, options);
    const vectors = await embedder.embed(texts);
    embedder.close();
    return { vectors: vectors.map((vector) => [...vector]), runtime: embedder.info.runtime };
  },

  async generate(options) {
    const generator = await quintet.TextGenerator.load(models.storyteller, options);
    const text = await generator.generate('', { temperature: 0, maxTokens: 40 }).text();
    generator.close();
    return { text, runtime: generator.info.runtime };
  },

  async classify(options) {
    const classifier = await quintet.ImageClassifier.load(models.classifier, options);
    const [{ label }] = await classifier.classify(await read(models.pictures.cat));
    classifier.close();
    return { label, runtime: classifier.info.runtime };
  },

  async convert() {
    const stream = quintet.convert(models.embedder, { to: 'safetensors' });
    const file = new Uint8Array(await new Response(stream).arrayBuffer());
    const headerBytes = Number(new DataView(file.buffer).getBigUint64(0, true));
    const { __metadata__, ...tensors } = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + headerBytes)));
    return { tensors: Object.keys(tensors).length };
  },
});

export const download = async (url) => (await fetch(url)).blob();

/** The answer, or the failure, of a job as it can cross between threads. */
export const answerOf = (jobs, { job, ...options }) =>
  jobs[job](options).catch(({ name, code, message }) => ({ failure: `${name} ${code}: ${message}` }));
