// Token ids as tensors of a fixed shape, and the network's output as vectors.

/** Sequences padded to the longest one; `mask` is 1 where there is a token. */
export function padded(sequences: readonly (readonly number[])[]) {
  const length = Math.max(...sequences.map((ids) => ids.length));
  const ids = new BigInt64Array(sequences.length * length);
  const mask = new BigInt64Array(sequences.length * length);
  sequences.forEach((sequence, row) => {
    sequence.forEach((id, i) => {
      ids[row * length + i] = BigInt(id);
      mask[row * length + i] = 1n;
    });
  });
  return { ids, mask, shape: [sequences.length, length] };
}

/** The mean of states [sequence][token][size] over the tokens of each sequence, scaled to length 1. */
export function meanPooled(
  states: Float32Array,
  [, tokens, size]: readonly number[],
  lengths: readonly number[],
): Float32Array[] {
  return lengths.map((length, sequence) => {
    const sums = new Float64Array(size!);
    for (let token = 0; token < length; token++) {
      const offset = (sequence * tokens! + token) * size!;
      for (let i = 0; i < size!; i++) sums[i]! += states[offset + i]!;
    }
    const norm = Math.hypot(...sums);
    return Float32Array.from(sums, (sum) => sum / norm);
  });
}
