import { buildSite } from 'quintet/site';

export default function (config) {
  // The hook: when the pages are written, they are read.
  config.on('eleventy.after', ({ directories }) => buildSite({ dir: directories.output }));
  return { dir: { input: 'pages', output: 'dist' } };
}
