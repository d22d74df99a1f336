import type { Random } from '../../base/index.ts';

const WORDS = (
  'the mirror keeps every page of a space with its title and its text so that people read it when the network is away ' +
  'a walk visits each collection in order and writes what changed since last night nothing is lost when it stops early ' +
  'because the place it reached is stored together with what it found then the next walk begins there and goes on ' +
  'reports count the comments that wait for an answer and the drafts that nobody opened for a month'
).split(' ');

/** Markdown of about `bytes` bytes: headings, paragraphs, a list and a block of code; the same for the same chance. */
export function scaleText(random: Random, bytes: number): string {
  const parts: string[] = [];
  let size = 0;
  for (let number = 1; size < bytes; number++) {
    const part = partOf(random, number);
    parts.push(part);
    size += part.length + 2;
  }
  return `${parts.join('\n\n')}\n`;
}

/** Some words as a sentence without its full stop. */
export function phrase(random: Random, words: number): string {
  const start = random.int(WORDS.length - words);
  const text = WORDS.slice(start, start + words).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function partOf(random: Random, number: number): string {
  switch (number % 6) {
    case 1:
      return `## ${phrase(random, 4)}`;
    case 4:
      return [1, 2, 3].map(() => `* ${phrase(random, 6)}`).join('\n');
    case 5:
      return `\`\`\`sql\nselect title from pages where position = ${random.int(100_000)};\n\`\`\``;
    default:
      return [1, 2, 3, 4].map(() => `${phrase(random, 8 + random.int(10))}.`).join(' ');
  }
}
