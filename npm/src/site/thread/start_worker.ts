// Starts the worker that searches, in browsers.

/** Resolves when its script runs. Rejects if a policy of the page or the network keeps it from that. */
export async function startSiteWorker(): Promise<Worker> {
  const worker = newWorker();
  return new Promise((resolve, reject) => {
    worker.onmessage = () => resolve(worker);
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      reject(new Error(event.message || 'the worker cannot be loaded'));
    };
  });
}

function newWorker(): Worker {
  try {
    return new Worker(new URL('./site_worker.js', import.meta.url), { type: 'module', name: 'quintet-site' });
  } catch {
    // Scripts of another origin are imported by one of this origin.
    const { href } = new URL('./site_worker.js', import.meta.url);
    const script = URL.createObjectURL(new Blob([`import ${JSON.stringify(href)}`], { type: 'text/javascript' }));
    return new Worker(script, { type: 'module', name: 'quintet-site' });
  }
}
