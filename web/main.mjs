// npm run web [-- --port N]: builds the site and serves it on localhost. The environment variable PORT works too.
import { parseArgs } from 'node:util';
import { buildSite } from './building/build_site.mjs';
import { site } from './building/paths.mjs';
import { listen } from './serving/listen.mjs';
import { siteServer } from './serving/server.mjs';

function portAsked() {
  const { port = process.env.PORT } = parseArgs({ options: { port: { type: 'string' } } }).values;
  if (port === undefined || port === '') return undefined;
  if (/^\d{1,5}$/.test(port) && Number(port) < 65536) return Number(port);
  throw new TypeError(`'${port}' is not a port`);
}

try {
  const asked = portAsked();
  await buildSite();
  const port = await listen(siteServer(site), asked);
  console.log(`quintet's demo site: http://localhost:${port}/ (stop with Ctrl-C)`);
} catch (error) {
  console.error(`web: ${error.message}`);
  process.exitCode = 1;
}
