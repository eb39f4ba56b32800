// Dates as strftime() of Python writes them in the C locale, in local time.

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

const two = (value: number) => String(value).padStart(2, '0');
const dayLength = 24 * 60 * 60 * 1000;
const at = (year: number, month = 0, day = 1) => Date.UTC(year, month, day);
const dayOf = (date: Date) => at(date.getFullYear(), date.getMonth(), date.getDate());

/** Counted from 0. */
const dayOfYear = (date: Date) => Math.round((dayOf(date) - at(date.getFullYear())) / dayLength);
/** The week of the year, where weeks begin on this day. */
const week = (date: Date, first: number) => Math.floor((dayOfYear(date) + 7 - ((date.getDay() - first + 7) % 7)) / 7);

/** The year and week of ISO 8601: the week belongs to the year of its Thursday. */
function isoWeek(date: Date): [year: number, week: number] {
  const thursday = new Date(dayOf(date) + (4 - (date.getDay() || 7)) * dayLength);
  const year = thursday.getUTCFullYear();
  return [year, 1 + Math.floor((thursday.getTime() - at(year)) / dayLength / 7)];
}

const codes: Record<string, (date: Date) => string> = {
  a: (date) => days[date.getDay()]!.slice(0, 3),
  A: (date) => days[date.getDay()]!,
  b: (date) => months[date.getMonth()]!.slice(0, 3),
  B: (date) => months[date.getMonth()]!,
  c: (date) => strftime('%a %b %e %H:%M:%S %Y', date),
  C: (date) => two(Math.floor(date.getFullYear() / 100)),
  d: (date) => two(date.getDate()),
  D: (date) => strftime('%m/%d/%y', date),
  e: (date) => String(date.getDate()).padStart(2),
  f: (date) => String(date.getMilliseconds() * 1000).padStart(6, '0'),
  F: (date) => strftime('%Y-%m-%d', date),
  g: (date) => two(isoWeek(date)[0] % 100),
  G: (date) => String(isoWeek(date)[0]),
  h: (date) => strftime('%b', date),
  H: (date) => two(date.getHours()),
  I: (date) => two(date.getHours() % 12 || 12),
  j: (date) => String(dayOfYear(date) + 1).padStart(3, '0'),
  k: (date) => String(date.getHours()).padStart(2),
  l: (date) => String(date.getHours() % 12 || 12).padStart(2),
  m: (date) => two(date.getMonth() + 1),
  M: (date) => two(date.getMinutes()),
  n: () => '\n',
  p: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  P: (date) => (date.getHours() < 12 ? 'am' : 'pm'),
  r: (date) => strftime('%I:%M:%S %p', date),
  R: (date) => strftime('%H:%M', date),
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  S: (date) => two(date.getSeconds()),
  t: () => '\t',
  T: (date) => strftime('%H:%M:%S', date),
  u: (date) => String(date.getDay() || 7),
  U: (date) => two(week(date, 0)),
  V: (date) => two(isoWeek(date)[1]),
  w: (date) => String(date.getDay()),
  W: (date) => two(week(date, 1)),
  x: (date) => strftime('%m/%d/%y', date),
  X: (date) => strftime('%H:%M:%S', date),
  y: (date) => two(date.getFullYear() % 100),
  Y: (date) => String(date.getFullYear()),
  // The time is without a zone, as datetime.now() of Python.
  z: () => '',
  Z: () => '',
  '%': () => '%',
};

/** `-`: without padding; `_`: padded with spaces; `0`: with zeros. Unknown codes stay unchanged. */
export function strftime(format: string, date: Date): string {
  return format.replace(/%([-_0^#]?)([a-zA-Z%])/g, (whole, flag: string, code: string) => {
    const written = codes[code]?.(date);
    if (written === undefined) return whole;
    if (flag === '-') return written.replace(/^[0 ]+(?=\d)/, '');
    if (flag === '_') return written.replace(/^0+(?=\d)/, (zeros) => ' '.repeat(zeros.length));
    if (flag === '0') return written.replace(/^ +/, (spaces) => '0'.repeat(spaces.length));
    return flag === '^' ? written.toUpperCase() : written;
  });
}
