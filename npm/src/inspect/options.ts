// Results of reading files.

/** Result of `readTensor`. */
export interface TensorValues {
  /** Type in which the file stores the values. */
  dtype: string;
  shape: number[];
  /** The values as float32, row-major. */
  data: Float32Array;
}
