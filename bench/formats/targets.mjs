// What quintet is to reach with model files.

const atLeast = (value) => ({ text: `>= ${value}`, isMet: (measured) => measured >= value });
const atMost = (value) => ({ text: `<= ${value}`, isMet: (measured) => measured <= value });

export const TARGETS = {
  /** `inspect` of a file of 500 MB that was inspected before. */
  inspectMilliseconds: atMost(50),
  /** Of the file's bytes, from memory. */
  keptMegabytesPerSecond: atLeast(1000),
  repackedMegabytesPerSecond: atLeast(400),
  /** Of a conversion: three times the largest tensor, and 200 MB. */
  peakMegabytes: (largestTensorBytes) => atMost(Math.round((3 * largestTensorBytes) / 1e6 + 200)),
};
