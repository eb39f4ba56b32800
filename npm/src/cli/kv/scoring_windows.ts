// A text in windows of one length, as it is usual for models that see no more (Hugging Face, "Perplexity of fixed-length
// models", https://huggingface.co/docs/transformers/perplexity): each moves on by a stride, and its tokens that a window
// before has counted are context, not counted again. Here the first window has a context, too, of the same length.

export interface ScoringWindow {
  context: number[];
  /** What is counted: in all windows together, each token behind the first context once. */
  targets: number[];
}

/** None where the text is not longer than a context, `window - stride` tokens. */
export function scoringWindows(ids: readonly number[], window: number, stride: number): ScoringWindow[] {
  const windows: ScoringWindow[] = [];
  for (let begin = 0, split = window - stride; split < ids.length; begin += stride, split += stride) {
    windows.push({ context: ids.slice(begin, split), targets: ids.slice(split, split + stride) });
  }
  return windows;
}
