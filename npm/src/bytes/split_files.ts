// Models in several GGUF files, named as llama.cpp's gguf-split names them: NAME-00001-of-00003.gguf.

const partName = /-\d{5}-of-(\d{5})(?=\.gguf$)/;

/** The name of the model that a file belongs to: without the number of the part. */
export const modelName = (name: string): string => name.replace(partName, '');

/** The locations of all parts, from that of any of them; undefined for other locations. */
export function partsAt(location: URL): string[] | undefined {
  const [, count] = partName.exec(location.pathname) ?? [];
  if (count === undefined) return undefined;
  return Array.from({ length: Number(count) }, (_, i) => {
    const part = new URL(location);
    part.pathname = location.pathname.replace(partName, `-${String(i + 1).padStart(5, '0')}-of-${count}`);
    return part.href;
  });
}
