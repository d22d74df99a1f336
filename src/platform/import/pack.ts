import { ZipFile } from 'yazl';

/** Packs files into a ZIP in memory; text is stored as UTF-8. `compress: false` is faster and larger. */
export async function packZip(
  files: Iterable<readonly [path: string, content: string | Buffer]>,
  { compress = true }: { compress?: boolean } = {},
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of files) {
    zip.addBuffer(typeof content === 'string' ? Buffer.from(content) : content, path, { compress });
  }
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
