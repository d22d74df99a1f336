import { decodePercent } from '../../base/index.ts';
import path from 'node:path';

export { rewriteLinks } from '../../base/index.ts';

/** A relative link taken apart: a path inside the archive, decoded, and what follows it: query and anchor. */
export interface LinkTarget {
  path: string;
  rest: string;
}

/** Where a link in `file` leads inside the archive; undefined for other sites, anchors alone and paths out of the archive. */
export function resolveTarget(file: string, target: string): LinkTarget | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|[#?]|$)/i.test(target)) return undefined;
  const [written = ''] = target.split(/[#?]/, 1);
  const decoded = decodePercent(written);
  const joined = decoded.startsWith('/') ? decoded.slice(1) : path.posix.join(path.posix.dirname(file), decoded);
  const inside = path.posix.normalize(joined).replace(/\/$/, '');
  if (inside === '..' || inside.startsWith('../')) return undefined;
  return { path: inside === '.' ? '' : inside, rest: target.slice(written.length) };
}
