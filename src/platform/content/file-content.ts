// What is known of a file without holding it.
import { sha256 } from '../../base/index.ts';
import { pictureSize, type PictureSize } from './picture-size.ts';

/** Answers the same bytes each time; they need not be held between. */
export type ReadBytes = () => Buffer;

export interface FileContent {
  /** In bytes. */
  size: number;
  sha256: string;
  dimensions?: PictureSize;
  read: ReadBytes;
}

/** @param read Reads the bytes anew, so that they need not be held. */
export function fileContent(bytes: Buffer, read: ReadBytes = () => bytes): FileContent {
  const dimensions = pictureSize(bytes);
  return { size: bytes.length, sha256: sha256(bytes), ...(dimensions ? { dimensions } : {}), read };
}
