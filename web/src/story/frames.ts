/** Makes calls of which the first in a frame of the screen has `task` done with that frame. */
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
