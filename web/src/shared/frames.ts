/** Runs `task` with the next frame, however often it is called until then. */
export function oncePerFrame(task: () => void): () => void {
  let waits = false;
  return () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      task();
    });
  };
}
