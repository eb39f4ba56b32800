// Streams from an iterator that is advanced only when they are read.

/** A failure of what comes later is reported to the reader. */
export function pulledStream<T>(opening: Promise<AsyncIterator<T, undefined>>): ReadableStream<T> {
  opening.catch(() => {});
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { done, value } = await (await opening).next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () =>
        opening
          .then(
            (items) => items.return?.(),
            () => {},
          )
          .then(() => {}),
    },
    { highWaterMark: 0 },
  );
}
