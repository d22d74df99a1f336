import { html } from 'hono/html';
import type { Named } from '../named.ts';
import { restoresToGoOn, type RestoreToGoOn } from '../restores.ts';
import type { StatusReport } from '../status-report.ts';
import { commandCode, section, type Html } from './layout.ts';

const SHOWN = 3;

/** Restores that have not come to their end, with what continues each of them. */
export function openRestores(status: StatusReport, holder: string | null, named: Named): Html | string {
  const all = restoresToGoOn(status, holder);
  if (all.length === 0) return '';
  return section(
    'Restores that have not come to their end',
    html`<ul>
        ${all.slice(0, SHOWN).map((one) => line(one, named))}
      </ul>
      ${all.length > SHOWN ? html`<p>All of them: ${commandCode(named('docmirror restore list'))}</p>` : ''}`,
  );
}

function line({ said, resume, undo }: RestoreToGoOn, named: Named): Html {
  const back = undo === null ? '' : html`; ${commandCode(named(undo))} takes it back`;
  return html`<li><span class="warn">${said}</span>: ${commandCode(named(resume))} goes on with it${back}</li>`;
}
