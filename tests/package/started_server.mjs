/** Where a server that has just started reports that it listens. */
export function urlOf(server) {
  let output = '';
  return new Promise((resolve, reject) => {
    server.stdout.on('data', (chunk) => {
      output += chunk;
      const [url] = /http:\/\/[\w.]+:\d+(?=[/\s])/.exec(output.replace(/\x1b\[\d+m/g, '')) ?? [];
      if (url) resolve(`${url}/`);
    });
    server.on('exit', () => reject(new Error(`no server: ${output}`)));
  });
}
