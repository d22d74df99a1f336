// A disk that is mounted in an export would not come along: its files would be copied off it, and removed from it with the last tree.
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { AppError } from '../../base/index.ts';

const MOUNTS = '/proc/self/mountinfo';
const MOUNT_POINT = 4;

/** Throws DM_USAGE with the name of a folder in the target that something is mounted at, where the system tells of that. */
export function refuseMounts(target: string): void {
  const found = mountPoints().find((place) => place.startsWith(target + sep));
  if (found === undefined) return;
  const name = JSON.stringify(relative(target, found));
  throw new AppError('DM_USAGE', `Cannot export to this folder: something is mounted at ${name} in it`, {
    hint: 'Mount it elsewhere, or export to another folder. The export was left as it is.',
  });
}

function mountPoints(): string[] {
  try {
    return readFileSync(MOUNTS, 'utf8')
      .split('\n')
      .map((line) => unescaped(line.split(' ')[MOUNT_POINT] ?? ''));
  } catch {
    return [];
  }
}

/** A space stands as `\040` there. */
function unescaped(place: string): string {
  return place.replaceAll(/\\([0-7]{3})/g, (_all, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
