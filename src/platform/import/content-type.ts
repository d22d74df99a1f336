import path from 'node:path';

const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
  ['.avif', 'image/avif'],
  ['.svg', 'image/svg+xml'],
  ['.ico', 'image/x-icon'],
  ['.pdf', 'application/pdf'],
  ['.zip', 'application/zip'],
  ['.json', 'application/json'],
  ['.yaml', 'application/yaml'],
  ['.yml', 'application/yaml'],
  ['.txt', 'text/plain'],
  ['.csv', 'text/csv'],
  ['.html', 'text/html'],
  ['.css', 'text/css'],
  ['.js', 'text/javascript'],
  ['.md', 'text/markdown'],
  ['.mp4', 'video/mp4'],
  ['.webm', 'video/webm'],
  ['.mp3', 'audio/mpeg'],
]);

const BY_LEADING_BYTES: readonly (readonly [number, string, string])[] = [
  [0, '89504e470d0a1a0a', 'image/png'],
  [0, 'ffd8ff', 'image/jpeg'],
  [0, '474946383', 'image/gif'],
  [8, '57454250', 'image/webp'],
  [0, '255044462d', 'application/pdf'],
];

const FALLBACK = 'application/octet-stream';

/** The media type of a file: what its first bytes say for common images and PDF, else what its name says. */
export function contentTypeOf(name: string, bytes: Buffer): string {
  const hex = bytes.subarray(0, 16).toString('hex');
  const known = BY_LEADING_BYTES.find(([offset, start]) => hex.slice(offset * 2).startsWith(start));
  return known?.[2] ?? BY_EXTENSION.get(path.posix.extname(name).toLowerCase()) ?? FALLBACK;
}
