// Chromium and Firefox with pages that a test's own server answers.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';

const root = fileURLToPath(new URL('../../', import.meta.url));
const types = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
  '.html': 'text/html',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};
export const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
const firefoxPath = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync);

// Milliseconds, only for what hangs: on a busy machine anything may take long.
const patience = 120_000;

async function launchPatient(options) {
  const browser = await puppeteer.launch({ ...options, protocolTimeout: 2 * patience, timeout: patience });
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async () => {
    const page = await newPage();
    page.setDefaultTimeout(patience);
    return page;
  };
  return browser;
}

export const launch = (...more) =>
  launchPatient({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', ...more],
  });

export const launchFirefox = (extraPrefsFirefox = {}) =>
  launchPatient({ browser: 'firefox', executablePath: firefoxPath, extraPrefsFirefox });

/**
 * Serves dist/ and the fixtures. `/page.html` imports the package as `quintet`; `/csp.html` has the policy `policy`;
 * files under `/untyped/` are those of dist/ without content types; `answers` has functions for further paths.
 */
export async function serve({ policy = '', answers = {} } = {}) {
  const requests = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    // Browsers ask for icons on their own, at any time.
    if (path !== '/favicon.ico') requests.push(path);
    if (answers[path]) return answers[path](request, response);
    if (path === '/page.html' || path === '/csp.html') {
      const headers = path === '/csp.html' ? { 'content-security-policy': policy } : {};
      response.writeHead(200, { 'content-type': 'text/html', ...headers });
      return response.end('<!doctype html><title>quintet</title>');
    }
    if (path === '/slow.weights') return slowly(response, readFileSync(`${root}tests/fixtures/embd/f32.weights`));
    if (path === '/app') return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    const untyped = path.startsWith('/untyped/');
    const file = `${root}${untyped ? path.replace('/untyped/', 'dist/') : path.slice(1)}`;
    if (!existsSync(file)) return response.writeHead(404).end();
    const isScript = extname(file) === '.js';
    const type = untyped && !isScript ? 'application/octet-stream' : types[extname(file)];
    response.writeHead(200, { 'content-type': type ?? 'application/octet-stream' }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The beginning of a file; the rest never comes. */
function slowly(response, file) {
  response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, 4096));
}

/** Runs a function on a page with the exports of the package's entry and a JSON argument. */
export const runOn = (page, job, argument, entry = '/dist/index.js') =>
  page.evaluate(`import('${entry}').then((quintet) => (${job})(quintet, ${JSON.stringify(argument)}))`);
