// Models in several GGUF files, named as llama.cpp's gguf-split names them: NAME-00001-of-00003.gguf.

const partName = /-\d{5}-of-(\d{5})(?=\.gguf$)/;

/** The name of the model that a file belongs to: without the number of the part. */
export const modelName = (name: string): string => name.replace(partName, '');

/** The paths of all parts, from that of any of them; undefined for other paths. */
export function partsOf(path: string): string[] | undefined {
  const [, count] = partName.exec(path) ?? [];
  if (!Number(count)) return undefined;
  return Array.from({ length: Number(count) }, (_, i) => path.replace(partName, `-${String(i + 1).padStart(5, '0')}-of-${count}`));
}

/** The same for locations. */
export function partsAt(location: URL): string[] | undefined {
  return partsOf(location.pathname)?.map((path) => {
    const part = new URL(location);
    part.pathname = path;
    return part.href;
  });
}
