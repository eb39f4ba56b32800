const defaultPort = 8080;
const lastPort = defaultPort + 99;

/** Listens on localhost, on the given port or else on the first free one from 8080 on. */
export async function listen(server, port) {
  if (port !== undefined) return attempt(server, port);
  for (let candidate = defaultPort; candidate < lastPort; ++candidate) {
    try {
      return await attempt(server, candidate);
    } catch (error) {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    }
  }
  return attempt(server, lastPort);
}

function attempt(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', reject);
      resolve(server.address().port);
    });
  });
}
