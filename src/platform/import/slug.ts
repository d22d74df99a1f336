// Names of pages in addresses: never empty, without anything that a path or a link could trip over.
const MAX_LENGTH = 100;
const UNSAFE = /[^\p{L}\p{N}\p{M}._~-]+/gu;
const VERBATIM = /^[\p{L}\p{N}\p{M}._~-]+$/u;

/** The text in lower case with every other run of characters as one `-`; `page` when nothing is left of it. */
export function slugOf(text: string): string {
  const words = text.normalize('NFC').toLowerCase().replaceAll(UNSAFE, '-').replaceAll(/-{2,}/g, '-');
  return cutTo(words, MAX_LENGTH).replaceAll(/^[-.]+|[-.]+$/g, '') || 'page';
}

/** A slug that somebody chose: kept as it is when it is safe. */
export function chosenSlug(slug: string): string {
  const isSafe = VERBATIM.test(slug) && slug.length <= MAX_LENGTH && slug !== '.' && slug !== '..';
  return isSafe ? slug : slugOf(slug);
}

/** The slug, or the slug with the first of `-2`, `-3`, … that no sibling has, as long as slugs can be; it is added to `taken`. */
export function uniqueSlug(slug: string, taken: Set<string>): string {
  let candidate = slug;
  for (let number = 2; taken.has(candidate); number++) {
    const ending = `-${number}`;
    candidate = cutTo(slug, MAX_LENGTH - ending.length) + ending;
  }
  taken.add(candidate);
  return candidate;
}

function cutTo(text: string, length: number): string {
  return Array.from(text).slice(0, length).join('');
}

/** A title from a name on disk: `getting-started` becomes `Getting started`. */
export function titleFromName(name: string): string {
  const words = name.replaceAll(/[-_]+/g, ' ').trim();
  return words === '' ? name || 'Untitled' : words.charAt(0).toUpperCase() + words.slice(1);
}
