import { linkRegions, unescapeTarget } from './link-regions.ts';
import { scanRegion } from './link-scanner.ts';

/**
 * Replaces link targets in a Markdown text whose lines end in line feeds: inline links, images, reference definitions, `src` and
 * `href` of raw HTML, addresses of block tags (`{% embed url="…" %}`); nothing inside code. `replace` gets the target with escapes and entities resolved and gives the new one, or
 * undefined to leave it. Everything else of the text stays as it is, byte for byte.
 */
export function rewriteLinks(text: string, replace: (target: string) => string | undefined): string {
  let out = '';
  let done = 0;
  for (const region of linkRegions(text)) {
    for (const span of scanRegion(text, region)) {
      const target = replace(unescapeTarget(span.raw));
      if (target === undefined || span.start < done) continue;
      out += text.slice(done, span.start) + target;
      done = span.end;
    }
  }
  return out + text.slice(done);
}
