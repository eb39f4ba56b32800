export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let [product, squaresA, squaresB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    product += a[i]! * b[i]!;
    squaresA += a[i]! ** 2;
    squaresB += b[i]! ** 2;
  }
  return product / Math.sqrt(squaresA * squaresB);
}

export const largestAt = (values: Float32Array): number => values.indexOf(Math.max(...values));
