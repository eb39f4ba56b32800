/** Float32 values as JSON numbers: nine digits give every float32 back, exactly. */
export function float32Json(values: Float32Array): string {
  let text = '[';
  for (let i = 0; i < values.length; i++) {
    text += (i === 0 ? '' : ',') + String(Number(values[i]!.toPrecision(9)));
  }
  return `${text}]`;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;

export function readableBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 1000 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
