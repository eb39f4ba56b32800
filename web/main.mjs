// npm run web [-- --port N]: builds the site and serves it on localhost. The environment variable PORT works too. node
// web/main.mjs --build-only builds it into build/web/site; SITE_BASE is the path where it will be (building/paths.mjs).
import { parseArgs } from 'node:util';
import { buildSite } from './building/build_site.mjs';
import { site } from './building/paths.mjs';
import { listen } from './serving/listen.mjs';
import { siteServer } from './serving/server.mjs';

const options = { port: { type: 'string' }, 'build-only': { type: 'boolean', default: false } };

function portAsked({ port = process.env.PORT }) {
  if (port === undefined || port === '') return undefined;
  if (/^\d{1,5}$/.test(port) && Number(port) < 65536) return Number(port);
  throw new TypeError(`'${port}' is not a port`);
}

try {
  const { values } = parseArgs({ options });
  const asked = portAsked(values);
  await buildSite();
  if (!values['build-only']) {
    const port = await listen(siteServer(site), asked);
    console.log(`quintet's demo site: http://localhost:${port}/ (stop with Ctrl-C)`);
  }
} catch (error) {
  console.error(`web: ${error.message}`);
  process.exitCode = 1;
}
