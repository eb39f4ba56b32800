/** The camera's picture in `video`, until `stop`. */
export class Camera {
  #stream: MediaStream | undefined;

  constructor(private readonly video: HTMLVideoElement) {
    // A page that is left gives the camera back, also where the browser keeps the page.
    addEventListener('pagehide', () => this.stop());
  }

  get isOn(): boolean {
    return this.#stream?.active ?? false;
  }

  async start(): Promise<void> {
    // Only secure pages have it: https, or localhost.
    if (!('mediaDevices' in navigator)) throw new Error('Browsers give the camera to secure pages (https) only.');
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
      return 'The camera was not allowed. The sign beside the address of this page lets you allow it.';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'There is no camera on this machine.';
    case 'NotReadableError':
    case 'AbortError':
      return 'The camera gives no picture. Does another program use it?';
    default:
      return `The camera cannot be used: ${String(error)}`;
  }
}
