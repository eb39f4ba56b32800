// The demo site as `npm run web` serves it, in a separate process.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../web/main.mjs', import.meta.url));

/** Builds what is not built yet. Gives { url, close }. */
export async function serveDemoSite() {
  const child = spawn(process.execPath, [program, '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let output = '';
  const url = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk;
      const [found] = /http:\/\/localhost:\d+\//.exec(output) ?? [];
      if (found) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    ended.then((code) => reject(new Error(`the site's server ended with ${code}: ${output}`)));
  });
  return {
    url,
    close() {
      child.kill();
      return ended;
    },
  };
}
