/** Cuts a path in its middle, between folders where it can; the file name stays whole if it fits. */
export const shortenPath = (path: string, length: number): string => {
  if (path.length <= length) return path;
  const separator = path.includes('\\') ? '\\' : '/';
  const parts = path.split(separator);
  const name = parts.at(-1)!;
  if (name.length + 2 >= length) {
    const half = Math.floor((length - 1) / 2);
    return `${name.slice(0, half)}…${name.slice(name.length - (length - 1 - half))}`;
  }
  let head = '';
  let tail = name;
  for (let depth = 1; depth < parts.length; depth++) {
    const longerTail = `${parts[parts.length - 1 - depth]}${separator}${tail}`;
    if (head.length + longerTail.length + 2 > length) break;
    tail = longerTail;
  }
  for (const part of parts) {
    const longerHead = `${head}${part}${separator}`;
    if (longerHead.length + tail.length + 2 > length) break;
    head = longerHead;
  }
  return `${head}…${separator}${tail}`;
};

export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) || path;

export const folderName = (path: string): string => fileName(path.replace(/[\\/]+$/, ''));
