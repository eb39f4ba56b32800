// The layouts of TensorFlow.

/**
 * A weight of PyTorch as TensorFlow has it: convolutions [rows, columns, inputs, outputs], linear layers [inputs,
 * outputs].
 */
export function outputsLast({ shape, data }) {
  if (shape.length === 1) return { shape, data };
  const [outputs, inputs, ...window] = shape;
  const area = window.reduce((product, size) => product * size, 1);
  const values = new Float32Array(data.length);
  for (let output = 0; output < outputs; output++) {
    for (let input = 0; input < inputs; input++) {
      for (let i = 0; i < area; i++) {
        values[(i * inputs + input) * outputs + output] = data[(output * inputs + input) * area + i];
      }
    }
  }
  return { shape: [...window, inputs, outputs], data: values };
}
