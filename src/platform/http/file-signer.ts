import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/index.ts';

export interface SignedFile {
  sha256: string;
  name: string;
  contentType: string;
}

/** Makes download addresses that work without a token for an hour, and recognises them. */
export interface FileSigner {
  address(file: SignedFile): string;
  /** True while the address is good: made here, unchanged, not expired. */
  accepts(path: string, query: URLSearchParams): boolean;
}

const LIFETIME_MS = 3_600_000;

/** Dots alone, even encoded, are no name in an address but a step within it, which whoever asks takes before they ask. */
function pathPart(name: string): string {
  return name === '.' || name === '..' ? `${name}_` : name;
}

export function createFileSigner(options: { key: Buffer; clock: Clock; origin: () => string }): FileSigner {
  const sign = (path: string, type: string, expires: string): string =>
    createHmac('sha256', options.key).update(`${path}\n${type}\n${expires}`).digest('base64url');
  return {
    address: (file) => {
      const path = `/files/${file.sha256}/${encodeURIComponent(pathPart(file.name))}`;
      const expires = String(Math.floor((options.clock.now() + LIFETIME_MS) / 1000));
      const query = new URLSearchParams({
        type: file.contentType,
        expires,
        signature: sign(path, file.contentType, expires),
      });
      return `${options.origin()}${path}?${query.toString()}`;
    },
    accepts: (path, query) => {
      const expires = query.get('expires') ?? '';
      const expected = Buffer.from(sign(path, query.get('type') ?? '', expires));
      const seen = Buffer.from(query.get('signature') ?? '');
      const genuine = seen.length === expected.length && timingSafeEqual(seen, expected);
      return genuine && Number(expires) * 1000 > options.clock.now();
    },
  };
}
