// Loaded into a child with --import: reports its peak memory at its end.
import { writeFileSync } from 'node:fs';
import { peakResident } from './peak_resident.mjs';

process.on('exit', () => writeFileSync(process.env.PEAK_MEMORY_FILE, String(peakResident())));
