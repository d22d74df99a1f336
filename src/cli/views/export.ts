import type { Exported } from '../../app.ts';
import { shellWord } from '../../base/index.ts';
import type { ExportProgress } from '../../export/index.ts';
import type { Look } from '../screen.ts';
import type { Progress } from './progress.ts';
import { bytes, count, thousands } from './units.ts';

/** Shows how far an export is. Change requests come after all pages, and of thousands of them each may have as many files as a space. */
export function showExport({ pages, pagesTotal, files, changeRequests }: ExportProgress, progress: Progress): void {
  const requests = changeRequests === 0 ? '' : `, ${count(changeRequests, 'change request')}`;
  progress.update(pages, pagesTotal, count(files, 'file') + requests);
}

export function exportView(exported: Exported, look: Look): string {
  const { pages, files, spaces, changeRequests, missing } = exported;
  const what = [
    count(pages, 'page'),
    count(files, 'file'),
    `of ${count(spaces, 'space')}`,
    `with ${count(changeRequests, 'change request')}`,
  ];
  const { written, unchanged, removed } = exported;
  return [
    `${look.style.good('Exported')} snapshot ${exported.snapshot} to ${exported.to}: ${what.slice(0, 2).join(' and ')} ${what.slice(2).join(' ')}, ${bytes(exported.bytes)}`,
    `  on disk: ${thousands(written)} written, ${thousands(unchanged)} unchanged, ${thousands(removed)} removed`,
    ...(missing === 0 ? [] : [look.style.warn(`  ${count(missing, 'file')} without bytes in the mirror`)]),
    ...(exported.foreign === 0
      ? []
      : [`  ${count(exported.foreign, 'file')} of your own ${exported.foreign === 1 ? 'was' : 'were'} kept`]),
    ...(exported.commit === null
      ? []
      : [`  commit ${exported.commit.slice(0, 12)}; git log in that folder shows the history`]),
    `  verify it with: cd ${shellWord(exported.to)} && sha256sum -c --quiet SHA256SUMS`,
  ].join('\n');
}
