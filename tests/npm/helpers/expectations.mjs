// Expectations of tests in every room: numbers that differ by little, and errors of this package.

/** The largest difference of two vectors. */
export function distance(actual, expected) {
  expect(actual).toHaveLength(expected.length);
  return expected.reduce((worst, x, i) => Math.max(worst, Math.abs(x - actual[i])), 0);
}

/** The error of a call, which must be a QuintetError. */
export async function failureOf(call) {
  try {
    await (typeof call === 'function' ? call() : call);
  } catch (error) {
    expect(error).toMatchObject({ name: error.code === 'ABORTED' ? 'AbortError' : 'QuintetError' });
    return error;
  }
  throw new Error('the call succeeded');
}
