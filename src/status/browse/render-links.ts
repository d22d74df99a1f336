// Links and pictures of a document as HTML, each only where it may lead.
import type { Addresses } from './addresses.ts';
import { escaped, openTag, tag } from './markup.ts';

export function renderLink(address: string, inner: string, { link }: Addresses): string {
  const target = link(address);
  const shown = inner === '' ? escaped(address) : inner;
  if (target === null) return tag('span', { class: 'dead', title: `This link leads nowhere: ${address}` }, shown);
  return tag(
    'a',
    { href: target.href, ...(target.outside ? { rel: 'noopener noreferrer', class: 'outside' } : {}) },
    shown,
  );
}

/** A picture of this mirror; one that is elsewhere is not fetched, but can be followed. */
export function renderImage(data: Readonly<Record<string, unknown>>, addresses: Addresses): string {
  const address = text(data['src']);
  const alt = text(data['alt']);
  const src = addresses.image(address);
  if (src !== null) return openTag('img', { src, alt, title: text(data['title']) || null, loading: 'lazy' });
  const target = addresses.link(address);
  const words = target?.outside
    ? `Picture elsewhere: ${alt || address}`
    : `Picture not in the mirror: ${alt || address}`;
  const isLed = target !== null && addresses.isInLink !== true;
  return tag('span', { class: 'missing' }, isLed ? renderLink(address, escaped(words), addresses) : escaped(words));
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
