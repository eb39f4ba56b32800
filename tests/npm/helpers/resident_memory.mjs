// Loaded into a child with --import: says at its end how much memory it held at most.
import { writeFileSync } from 'node:fs';
import { peakResident } from './peak_resident.mjs';

process.on('exit', () => writeFileSync(process.env.PEAK_MEMORY_FILE, String(peakResident())));
