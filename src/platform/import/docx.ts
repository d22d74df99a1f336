// Word documents: their text as HTML, and the pictures in it as files.
import { openArchive, type ArchiveEntry } from './archive.ts';
import { partsHeld } from '../content/file-content.ts';
import { heldDownload } from './download.ts';
import { readHtml } from './html.ts';
import { packZip } from './pack.ts';
import type { ImportLimits } from './limits.ts';

export interface DocxPage {
  markdown: string;
  /** Pictures by the path that the text refers to them by, beside the document. */
  pictures: Map<string, Buffer>;
}

const STYLES = ["p[style-name='Title'] => h1:fresh"];
// Each takes its reader up to two kilobytes, and a few bytes of the archive may stand for thousands of them.
const MOST_ELEMENTS = 500_000;
const START_BYTES = 64;
const XML = /^(?:\xef\xbb\xbf)?\s*(?:<|$)/;
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/svg+xml': 'svg',
};

/** Reads a document; `folder` is where its pictures are said to be. Throws what the reader throws for bytes that are none. */
export async function readDocx(bytes: Buffer, options: { folder: string; limits: ImportLimits }): Promise<DocxPage> {
  const buffer = await plainArchive(bytes, options.limits);
  // Large, and most processes that load this room read no Word document.
  const { default: mammoth } = await import('mammoth');
  const pictures = new Map<string, Buffer>();
  const convertImage = mammoth.images.imgElement(async (image) => {
    const name = `${pictures.size + 1}.${EXTENSIONS[image.contentType] ?? 'bin'}`;
    pictures.set(`${options.folder}/${name}`, await image.readAsBuffer());
    return { src: `${encodeURI(options.folder.split('/').at(-1) ?? '')}/${name}` };
  });
  const { value } = await mammoth.convertToHtml({ buffer }, { styleMap: STYLES, convertImage });
  return { markdown: readHtml(value).markdown, pictures };
}

/**
 * A Word document is an archive too. Its reader has no limits of its own and believes what the archive says of itself: it gets another
 * one, of what was unpacked here under limits.
 */
async function plainArchive(bytes: Buffer, limits: ImportLimits): Promise<Buffer> {
  const { entries } = await openArchive(heldDownload(bytes), limits);
  const files: [string, Buffer][] = [];
  let elements = 0;
  for (const [path, entry] of entries) {
    const part = Buffer.concat([...(await entry.open())()]);
    elements += elementsIn(part);
    if (elements > MOST_ELEMENTS) throw new Error(`it has more than ${MOST_ELEMENTS} elements`);
    files.push([path, part]);
  }
  return packZip(files, { compress: false });
}

/** As many as may begin in it; none where it is no XML, such as a picture. */
function elementsIn(part: Buffer): number {
  if (!XML.test(part.toString('latin1', 0, START_BYTES))) return 0;
  let count = 0;
  for (let at = part.indexOf('<'); at !== -1; at = part.indexOf('<', at + 1)) count++;
  return count;
}

/** A picture as if it stood in the archive. */
export function pictureEntry(path: string, bytes: Buffer): ArchiveEntry {
  return { path, size: bytes.length, open: () => Promise.resolve(() => partsHeld(bytes)) };
}
