// The address of a site behind a proxy: the operation takes a host with a path, and some platforms show it as a whole address.
import { isRecord } from '../../base/index.ts';
import { textAt, type Body } from '../resource.ts';

/** As the operation takes it; undefined for a site without one. */
export function proxyOf({ proxy }: Body): string | undefined {
  const target = isRecord(proxy) ? textAt(proxy, 'target') : undefined;
  return target === undefined ? undefined : withoutScheme(target);
}

/** A host with a path, of that or of a whole address. */
export function withoutScheme(target: string): string {
  return target.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').replace(/\/$/, '');
}
