import { readFileSync } from 'node:fs';

/**
 * The most memory that this process held, in KB. (maxRSS begins at that of the process that started it: of a test, that
 * is Jest.)
 */
export const peakResident = () => Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
