/** A snapshot as Markdown and files: on disk for people, as an archive for an import. */
export { renamedFiles, spaceLayout, type LayoutFile, type SpaceLayout, type SpaceLayoutInput } from './space-layout.ts';
export { oneLine } from './summary.ts';
export { keepLinks, pathLinked, type LinkResolver } from './links.ts';
export { exportSnapshot, type ExportOptions, type ExportProgress, type ExportResult } from './export-snapshot.ts';
export { checkExport, type ExportProblem } from './check-export.ts';
export { isExport, MANIFEST } from './manifest.ts';
export { zipLayout, type ZipResult } from './zip.ts';
