// A text in windows of one length, as usual for models with a limited context (Hugging Face, "Perplexity of
// fixed-length models", https://huggingface.co/docs/transformers/perplexity): each window moves on by a stride, and
// tokens scored in an earlier window are only context. Here the first window has a context of the same length, too.

export interface ScoringWindow {
  context: number[];
  /** Tokens to score: over all windows, each token after the first context once. */
  targets: number[];
}

/** Empty if the text is not longer than a context of `window - stride` tokens. */
export function scoringWindows(ids: readonly number[], window: number, stride: number): ScoringWindow[] {
  const windows: ScoringWindow[] = [];
  for (let begin = 0, split = window - stride; split < ids.length; begin += stride, split += stride) {
    windows.push({ context: ids.slice(begin, split), targets: ids.slice(split, split + stride) });
  }
  return windows;
}
