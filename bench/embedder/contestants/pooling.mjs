/** Mean over the tokens of each sequence, then unit length: hidden states [batch][tokens][size] to vectors. */
export function meanPooled(states, [batch, tokens, size]) {
  return Array.from({ length: batch }, (_, sequence) => {
    const sums = new Float64Array(size);
    for (let token = 0; token < tokens; token++) {
      const offset = (sequence * tokens + token) * size;
      for (let i = 0; i < size; i++) sums[i] += states[offset + i];
    }
    const norm = Math.hypot(...sums);
    return Float32Array.from(sums, (sum) => sum / norm);
  });
}
