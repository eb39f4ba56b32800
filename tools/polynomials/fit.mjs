// Prints the coefficients of the polynomials of src/kernels/generic/exp.h, with the errors of the fits.
// Run: node tools/polynomials/fit.mjs
//
// Weighted minimax fit by Lawson's algorithm: least squares on a dense Chebyshev grid, repeated with the
// weights of the points multiplied by their errors, until the largest error stops falling.

const kPoints = 2000;
const kIterations = 600;

function chebyshev(degree, t) {
  const values = [1, t];
  for (let i = 2; i <= degree; i++) values.push(2 * t * values[i - 1] - values[i - 2]);
  return values.slice(0, degree + 1);
}

// Gaussian elimination with partial pivoting.
function solve(matrix, right) {
  const n = right.length;
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let r = i + 1; r < n; r++) if (Math.abs(matrix[r][i]) > Math.abs(matrix[pivot][i])) pivot = r;
    [matrix[i], matrix[pivot]] = [matrix[pivot], matrix[i]];
    [right[i], right[pivot]] = [right[pivot], right[i]];
    for (let r = i + 1; r < n; r++) {
      const factor = matrix[r][i] / matrix[i][i];
      for (let c = i; c < n; c++) matrix[r][c] -= factor * matrix[i][c];
      right[r] -= factor * right[i];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let c = i + 1; c < n; c++) right[i] -= matrix[i][c] * right[c];
    right[i] /= matrix[i][i];
  }
  return right;
}

function leastSquares(points, degree) {
  const n = degree + 1;
  const matrix = Array.from({ length: n }, () => Array(n).fill(0));
  const right = Array(n).fill(0);
  for (const { basis, value, weight, importance } of points) {
    const w = importance * weight * weight;
    for (let r = 0; r < n; r++) {
      right[r] += w * basis[r] * value;
      for (let c = 0; c < n; c++) matrix[r][c] += w * basis[r] * basis[c];
    }
  }
  return solve(matrix, right);
}

const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

// sum_i c_i T_i((2x - lo - hi) / (hi - lo)) as a polynomial in x.
function toMonomials(coefficients, lo, hi) {
  const scale = 2 / (hi - lo);
  const shift = -(hi + lo) / (hi - lo);
  const timesT = (p) => {
    const product = Array(p.length + 1).fill(0);
    p.forEach((value, k) => {
      product[k] += value * shift;
      product[k + 1] += value * scale;
    });
    return product;
  };
  const terms = [[1], [shift, scale]];
  for (let i = 2; i < coefficients.length; i++) {
    terms.push(timesT(terms[i - 1]).map((value, k) => 2 * value - (terms[i - 2][k] ?? 0)));
  }
  const result = Array(coefficients.length).fill(0);
  coefficients.forEach((c, i) => terms[i].forEach((value, k) => (result[k] += c * value)));
  return result;
}

// Minimizes max |weight(x) * (p(x) / q(x) - f(x))| over [lo, hi], for polynomials of the given degrees. The equation is
// p - f (q - 1) = f, with the weights divided by the q of the step before.
function fit(f, weight, lo, hi, degree, degreeOfQ = 0) {
  const points = Array.from({ length: kPoints }, (_, i) => {
    const t = Math.cos((Math.PI * (i + 0.5)) / kPoints);
    const x = lo + ((hi - lo) * (t + 1)) / 2;
    const value = f(x);
    const terms = chebyshev(Math.max(degree, degreeOfQ), t);
    const ofP = terms.slice(0, degree + 1);
    const ofQ = terms.slice(0, degreeOfQ + 1);
    const basis = [...ofP, ...ofQ.slice(1).map((term) => -value * term)];
    return { ofP, ofQ, basis, value, wanted: weight(x), weight: weight(x), importance: 1 };
  });
  let best = { error: Infinity };
  for (let iteration = 0; iteration < kIterations; iteration++) {
    const coefficients = leastSquares(points, degree + degreeOfQ);
    const p = coefficients.slice(0, degree + 1);
    const q = [1, ...coefficients.slice(degree + 1)];
    const errors = points.map((point) => {
      const divisor = dot(q, point.ofQ);
      point.weight = point.wanted / divisor;
      return Math.abs(point.wanted * (dot(p, point.ofP) / divisor - point.value));
    });
    const error = Math.max(...errors);
    if (error < best.error) best = { error, p, q };
    points.forEach((point, i) => (point.importance *= errors[i] / error + 1e-9));
    const mean = points.reduce((sum, point) => sum + point.importance, 0) / kPoints;
    points.forEach((point) => (point.importance /= mean));
  }
  const [p, q] = [best.p, best.q].map((coefficients) => toMonomials(coefficients, lo, hi));
  return { error: best.error, p: p.map((c) => c / q[0]), q: q.map((c) => c / q[0]) };
}

// Taylor series near zero, continued fraction beyond.
function erfc(x) {
  if (x < 2.5) {
    let sum = 0;
    for (let n = 0, term = x; n < 120; n++, term *= (-x * x) / n) sum += term / (2 * n + 1);
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = 0;
  for (let k = 200; k > 0; k--) fraction = k / 2 / (x + fraction);
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + fraction);
}

// (e^x - 1 - x) / x^2, by its series: no cancellation near zero.
function expRest(x) {
  let sum = 0;
  for (let k = 0, term = 0.5; k < 20; term *= x / (k + 3), k++) sum += term;
  return sum;
}

const upperTail = (x) => 0.5 * erfc(x / Math.SQRT2);

function print(title, { error, p, q }) {
  console.log(`${title}: max weighted error ${error.toExponential(2)}`);
  const list = (coefficients) => coefficients.map((c) => `${Math.fround(c).toPrecision(9)}f`).join(', ');
  console.log(`  p ${list(p)}`);
  if (q.length > 1) console.log(`  q ${list(q)}`);
}

print(
  'exp(r) = 1 + r + r^2 p(r), |r| <= ln(2)/2, relative error',
  fit(expRest, (x) => (x * x) / Math.exp(x), -Math.LN2 / 2, Math.LN2 / 2, 4),
);

// 1 / sqrt(2 pi) is the limit at 0.
const aboveHalf = (x) => (x < 1e-3 ? 1 / Math.sqrt(2 * Math.PI) : (0.5 - upperTail(x)) / x);

print(
  '(0.5 - upper tail of the normal distribution at x) / x = p(x^2) / q(x^2), 0 <= x <= 5.6, error of the tail',
  fit((square) => aboveHalf(Math.sqrt(square)), Math.sqrt, 0, 5.6 ** 2, 5, 5),
);
