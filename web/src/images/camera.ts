/** Shows the camera in `video` until `stop`. */
export class Camera {
  #stream: MediaStream | undefined;

  constructor(private readonly video: HTMLVideoElement) {
    // Releases the camera when the visitor leaves, even if the browser keeps the page in its back/forward cache.
    addEventListener('pagehide', () => this.stop());
  }

  get isOn(): boolean {
    return this.#stream?.active ?? false;
  }

  async start(): Promise<void> {
    // Only secure pages (https or localhost) have it.
    if (!('mediaDevices' in navigator)) throw new Error('Browsers allow the camera on secure pages (https) only.');
    try {
      this.#stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: 'environment', width: { ideal: 640 } },
      });
    } catch (error) {
      throw new Error(words(error), { cause: error });
    }
    this.video.srcObject = this.#stream;
    await this.video.play();
  }

  stop(): void {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = undefined;
    this.video.srcObject = null;
  }
}

function words(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'Access to the camera was denied. You can allow it with the icon next to the address of this page.';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'No camera was found.';
    case 'NotReadableError':
    case 'AbortError':
      return 'The camera gives no picture. Another program may be using it.';
    default:
      return `The camera cannot be used: ${String(error)}`;
  }
}
