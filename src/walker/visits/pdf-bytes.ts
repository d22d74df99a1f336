// What makes bytes a PDF. Its address tells no size, so nothing else shows that a web page came instead, or only the first half.
import { open, rm } from 'node:fs/promises';
import { undocumented } from '../failures.ts';

const BEGIN = '%PDF-';
const END = '%%EOF';
// Readers look for the end no farther up, and so may other bytes stand behind it.
const TAIL = 1024;

/** Throws for a file that is no whole PDF, and removes it; `request` is the key of the change request. */
export async function demandPdf(file: string, request: string): Promise<void> {
  const { size, begin, end } = await endsOf(file);
  if (begin === BEGIN && end.includes(END)) return;
  await rm(file, { force: true });
  const seen = begin === BEGIN ? `has no ${END} at its end` : `begins with ${JSON.stringify(begin)}`;
  throw undocumented(`The PDF of change request ${request} is none, or not whole: of ${size} bytes, it ${seen}`);
}

async function endsOf(file: string): Promise<{ size: number; begin: string; end: string }> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const read = async (from: number, length: number): Promise<string> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
      return buffer.toString('latin1', 0, bytesRead);
    };
    return { size, begin: await read(0, BEGIN.length), end: await read(Math.max(0, size - TAIL), TAIL) };
  } finally {
    await handle.close();
  }
}
