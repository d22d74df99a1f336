// Which snapshots there are, which are kept, and why.
import { thousands } from '../../base/index.ts';
import { html } from 'hono/html';
import type { RetentionVerdict } from '../../mirror/index.ts';
import type { Named } from '../named.ts';
import type { StatusPageInput } from './status-page.ts';
import { commandCode, section, type Html } from './layout.ts';
import { at, stateClass } from './words.ts';

const SHOWN = 20;

export function retention({ status, kept, named }: StatusPageInput): Html | string {
  const states = Object.entries(status.snapshots);
  if (states.length === 0) return '';
  const all = states.reduce((sum, [, count]) => sum + count, 0);
  return section(
    'Snapshots and retention',
    html`<p>
        ${thousands(all)} ${all === 1 ? 'snapshot' : 'snapshots'} since ${at(status.oldestAt)}:
        ${states.map(([state, count], index) => html`${index === 0 ? '' : ', '}<span class="${stateClass(state)}">${thousands(count)} ${state}</span>`)}
      </p>
      ${pins(status.pins)}
      ${
        kept === null
          ? html`<p class="soft">
              Nothing is forgotten by itself: set a retention policy, or look at what one would drop:
              ${commandCode(named('docmirror forget --keep-daily 14 --keep-monthly 12 --dry-run'))}.
            </p>`
          : html`${braked(status, named)} ${verdicts(kept)}`
      }`,
  );
}

function pins(all: StatusPageInput['status']['pins']): Html | string {
  if (all.length === 0) return '';
  return html`<ul>
    ${all.map(({ snapshot, reason }) => html`<li>Snapshot ${snapshot} is pinned: ${reason}</li>`)}
  </ul>`;
}

/** What the policy does not keep stays meanwhile. */
function braked({ lastSealed, accepted }: StatusPageInput['status'], named: Named): Html | string {
  if (lastSealed?.state !== 'suspect' || accepted !== null) return '';
  const command = `docmirror snapshots accept ${lastSealed.id} --reason "…"`;
  return html`<p>
    <span class="warn">Nothing is forgotten while snapshot ${lastSealed.id} is suspect.</span> Where its change is
    meant, this lifts the brake: ${commandCode(named(command))}
  </p>`;
}

function verdicts(kept: readonly RetentionVerdict[]): Html {
  const newest = kept.slice(-SHOWN).toReversed();
  const going = kept.filter(({ keep }) => !keep).length;
  return html`<p>The policy keeps ${thousands(kept.length - going)} of them.</p>
    <details>
      <summary>Why each of the last ${newest.length} is kept or not</summary>
      <ul>
        ${newest.map(
          ({ id, keep, reasons }) =>
            html`<li>
              ${id}: <span class="${keep ? 'good' : 'soft'}">${keep ? 'kept' : 'to be forgotten'}</span>:
              ${reasons.join('; ')}
            </li>`,
        )}
      </ul>
    </details>`;
}
