// Builds the package; what has not changed since the last build is not made again.
import { buildPackage } from './build/package.mjs';

await buildPackage();
