// Files in repositories that cannot be read, and why.

const kinds: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/(^|\/)openvino_model\.(xml|bin)$/, 'OpenVINO models'],
  [/\.onnx(_data)?$/, 'ONNX graphs, which quintet does not run'],
  [
    /\.(bin|pt|pth|ckpt)$/,
    'PyTorch pickles, which can run code when they are read: save the model as safetensors (save_pretrained does)',
  ],
  [/^adapter_(model|config)\./, 'an adapter (LoRA), not a whole model: merge it into its base model'],
  [/\.h5$/, 'Keras weights'],
  [/\.msgpack$/, 'Flax weights'],
  [/\.(tflite|task|litertlm)$/, 'LiteRT models'],
  [/\.(mlmodel|mlpackage\/.*)$/, 'Core ML models'],
];

/** For the end of a message; empty if there are no such files. */
export function unreadable(paths: readonly string[]): string {
  const rest = new Set(paths);
  const found = kinds.flatMap(([pattern, why]) => {
    const matching = [...rest].filter((path) => pattern.test(path));
    matching.forEach((path) => rest.delete(path));
    return matching.length > 0 ? [`${matching[0]}${matching.length > 1 ? ' and so on' : ''}: ${why}`] : [];
  });
  return found.length > 0 ? `. There is ${found.join('; ')}` : '';
}
