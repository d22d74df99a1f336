import { sha256 } from '../../../base/index.ts';

const MOST_BARS = 24;

/** A picture with the title of a space, in colours that follow from it. */
export function drawCover(title: string, packages: number): string {
  const hue = Number.parseInt(sha256(title).slice(0, 4), 16) % 360;
  const bars = Array.from({ length: Math.min(packages, MOST_BARS) }, (_, index) => {
    const height = 20 + (Number.parseInt(sha256(`${title}${index}`).slice(0, 2), 16) % 80);
    return `<rect x="${40 + index * 36}" y="${200 - height}" width="24" height="${height}" fill="hsl(${hue} 60% 70%)"/>`;
  });
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" width="960" height="240" viewBox="0 0 960 240">',
    `<rect width="960" height="240" fill="hsl(${hue} 45% 30%)"/>`,
    ...bars,
    `<text x="40" y="80" font-family="sans-serif" font-size="44" fill="white">${title}</text>`,
    '</svg>',
    '',
  ].join('\n');
}
