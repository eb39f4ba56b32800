// Imported ahead of a program: says at its end, on file descriptor 3, how much memory it had resident at most.
import { writeSync } from 'node:fs';

process.on('exit', () => {
  writeSync(3, String(process.resourceUsage().maxRSS * 1024));
});
