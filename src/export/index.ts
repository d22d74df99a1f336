/** A snapshot as Markdown and files: on disk for people, as an archive for an import. */
export { renamedFiles } from './layout/assets.ts';
export { spaceLayout, type LayoutFile, type SpaceLayout, type SpaceLayoutInput } from './layout/space-layout.ts';
export { AppAddresses, appAddress } from './layout/app-addresses.ts';
export { followLink, referenceOf, type Leading } from './layout/link-pages.ts';
export { oneLine } from './layout/summary.ts';
export { withoutTitle } from './layout/page-text.ts';
export {
  keepLinks,
  destinationPart,
  linkDestination,
  pathLinked,
  type LinkResolver,
  type OtherLinks,
  type StableLink,
} from './layout/links.ts';
export { exportSnapshot, type ExportProgress, type ExportResult } from './export-snapshot.ts';
export { checkExport } from './written/check-export.ts';
export { checkNote } from './written/check-note.ts';
export type { ExportProblem } from './written/export-problem.ts';
export { isExport, MANIFEST } from './written/manifest.ts';
export { zipLayout } from './files/zip.ts';
