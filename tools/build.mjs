// Builds the package; unchanged parts are not built again.
//
//   node tools/build.mjs                  all of it
//   node tools/build.mjs --for-this-node  what the running Node uses: for `npm start`
import { buildForThisNode, buildPackage } from './build/package.mjs';

await (process.argv.includes('--for-this-node') ? buildForThisNode() : buildPackage());
