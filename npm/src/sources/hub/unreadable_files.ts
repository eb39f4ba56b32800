// What repositories contain besides, and why it cannot be read.

const kinds: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/(^|\/)openvino_model\.(xml|bin)$/, 'models of OpenVINO'],
  [/\.onnx(_data)?$/, 'ONNX graphs, which quintet does not run'],
  [
    /\.(bin|pt|pth|ckpt)$/,
    'pickles of PyTorch, which can run code when they are read: save the model as safetensors (save_pretrained does)',
  ],
  [/^adapter_(model|config)\./, 'an adapter (LoRA), not a whole model: merge it into its base model'],
  [/\.h5$/, 'weights of Keras'],
  [/\.msgpack$/, 'weights of Flax'],
  [/\.(tflite|task|litertlm)$/, 'models of LiteRT'],
  [/\.(mlmodel|mlpackage\/.*)$/, 'models of Core ML'],
];

/** For the end of a message; empty if nothing of that kind is there. */
export function unreadable(paths: readonly string[]): string {
  const rest = new Set(paths);
  const found = kinds.flatMap(([pattern, why]) => {
    const matching = [...rest].filter((path) => pattern.test(path));
    matching.forEach((path) => rest.delete(path));
    return matching.length > 0 ? [`${matching[0]}${matching.length > 1 ? ' and so on' : ''}: ${why}`] : [];
  });
  return found.length > 0 ? `. There is ${found.join('; ')}` : '';
}
