// Addresses of file bytes: they hold what they lead to and until when, signed, so that nobody needs a token to follow one.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock, Random } from '../base/index.ts';
import type { FileAddress } from './view.ts';

export interface FileAddresses {
  /** Path of an address that holds for an hour. */
  readonly make: (file: FileAddress) => string;
  /** Null for an address that was never made here, was changed, or has expired. */
  readonly read: (path: string) => FileAddress | null;
}

/** Where addresses of files begin. */
export const FILES = '/replica-files/';

const HOLDS_MS = 3_600_000;
const KEY_BYTES = 32;

/** The key is made anew at each start: addresses do not outlive the program that gave them. */
export function createFileAddresses({ clock, random }: { clock: Clock; random: Random }): FileAddresses {
  const key = random.bytes(KEY_BYTES);
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  return {
    make: ({ sha256, name, contentType }) => {
      const facts = Buffer.from(JSON.stringify([sha256, name, contentType, clock.now() + HOLDS_MS])).toString(
        'base64url',
      );
      return `${FILES}${facts}.${sign(facts).toString('base64url')}`;
    },
    read: (path) => {
      const [facts = '', signature = ''] = path.slice(FILES.length).split('.', 2);
      const [given, own] = [Buffer.from(signature, 'base64url'), sign(facts)];
      if (given.length !== own.length || !timingSafeEqual(given, own)) return null;
      const [sha256, name, contentType, until] = JSON.parse(Buffer.from(facts, 'base64url').toString()) as [
        string,
        string,
        string,
        number,
      ];
      return until > clock.now() ? { sha256, name, contentType } : null;
    },
  };
}
