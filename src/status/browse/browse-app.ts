// The browser of the mirror: what it serves at which address.
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { AppError, createMutex } from '../../base/index.ts';
import { isKindName } from '../../contract/index.ts';
import { erasOf, resolveSnapshot, type Mirror } from '../../mirror/index.ts';
import { askerSignal } from '../asker.ts';
import type { Named } from '../named.ts';
import { commandCode, layout, withCode, type Html } from '../pages/layout.ts';
import { changeDetailView } from './change-detail.ts';
import { changesView, type Span } from './changes.ts';
import { fileAnswer } from './files.ts';
import { homeView } from './home.ts';
import { pageView } from './page.ts';
import { requestView } from './requests.ts';
import { searchView } from './search.ts';
import { warnings } from './shell.ts';
import { spaceView } from './space.ts';
import { openVisit, type Visit } from './visit.ts';

/** Gives the mirror, null when there is none yet, and closes it once all is read. */
export type WithMirror = <T>(read: (mirror: Mirror | null) => T | Promise<T>) => Promise<T>;

interface Parts {
  readonly withMirror: WithMirror;
  readonly named: Named;
}

type Answer = Html | Response | null;
type View = (visit: Visit, c: Context) => Answer | Promise<Answer>;

/** Pages that take their snapshots themselves: what `at` says has no meaning there. */
const TAKING: readonly string[] = ['/browse/search', '/browse/changes', '/browse/changes/detail'];

/** Adds `/browse` and what is below it. */
export function addBrowser(app: Hono, { withMirror, named }: Parts): void {
  const show = (path: string, view: View): void => {
    app.get(path, (c) => withMirror((mirror) => answer(c, { mirror, named }, view)));
  };
  show('/browse', homeView);
  show('/browse/search', (visit, c) =>
    searchView(visit, (c.req.query('q') ?? '').slice(0, 200), askerSignal(c.req.raw)),
  );
  // One after the other: SQLite sorts all that differs in memory for each.
  const comparing = createMutex();
  show('/browse/changes', (visit, c) => {
    const signal = askerSignal(c.req.raw);
    return comparing.hold(signal, () => changesView(visit, spanOf(visit, c), signal));
  });
  show('/browse/changes/detail', (visit, c) => {
    const [kind = '', key = ''] = [c.req.query('kind'), c.req.query('key')];
    const span = spanOf(visit, c);
    return (isKindName(kind) ? changeDetailView(visit, span, { kind, key }) : null) ?? inNeither(c, visit, span);
  });
  show('/browse/spaces/:space', (visit, c) => spaceView(visit, param(c, 'space'), c.req.query('comment')));
  show('/browse/spaces/:space/pages/:page', (visit, c) => pageView(visit, param(c, 'space'), param(c, 'page')));
  show('/browse/spaces/:space/files/:file', (visit, c) =>
    fileAnswer(c, visit, `${param(c, 'space')}/${param(c, 'file')}`),
  );
  show('/browse/spaces/:space/change-requests/:request', (visit, c) =>
    requestView(visit, param(c, 'space'), param(c, 'request')),
  );
}

function param(c: Context, name: string): string {
  return c.req.param(name) ?? '';
}

async function answer(
  c: Context,
  { mirror, named }: { mirror: Mirror | null; named: Named },
  view: View,
): Promise<Response> {
  if (mirror === null) return nothingYet(c, named);
  try {
    const path = new URL(c.req.url).pathname;
    const at = TAKING.includes(path) ? '' : (c.req.query('at') ?? '');
    const visit = openVisit(mirror, { at, path, named });
    const found = await view(visit, c);
    if (found === null) return await notThere(c, visit);
    return found instanceof Response ? found : c.html(found);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'DM_NO_SNAPSHOT') return nothingYet(c, named);
    if (error.code === 'DM_SNAPSHOT_UNKNOWN') return missing(c, `${error.message}. ${named(error.hint)}`);
    throw error;
  }
}

/** The two snapshots of a comparison; the last two sealed ones where none are named. */
function spanOf(visit: Visit, c: Context): Span {
  const snapshotOf = (name: string, otherwise: number): Span['from'] =>
    resolveSnapshot(visit.mirror, c.req.query(name) || otherwise);
  const to = snapshotOf('to', visit.snapshot.id);
  const before = visit.sealed.find(({ id }) => id < to.id)?.id ?? to.id;
  return { from: snapshotOf('from', before), to, space: c.req.query('space') || null };
}

function notThere(c: Context, visit: Visit): Response | Promise<Response> {
  const [space, page] = [c.req.param('space'), c.req.param('page')];
  const eras = space !== undefined && page !== undefined ? erasOf(visit.mirror, 'page', `${space}/${page}`) : [];
  const [last] = eras;
  const hint = html`${warnings(visit, [visit.snapshot])}
  ${last ? html`<p><a href="${visit.path}?at=${last.from}">It was there at snapshot ${last.from}.</a></p>` : ''}`;
  return missing(c, `This is not in snapshot ${visit.snapshot.id}.`, hint);
}

function inNeither(c: Context, visit: Visit, { from, to }: Span): Response | Promise<Response> {
  const message = `This is neither in snapshot ${from.id} nor in snapshot ${to.id}.`;
  return missing(c, message, html`${warnings(visit, [from, to])}`);
}

/** Every page of the mirror leads here then: it leads to none of them. */
function nothingYet(c: Context, named: Named): Response | Promise<Response> {
  const body = html`<section>
    <h2>Nothing is mirrored yet</h2>
    <p>No snapshot yet. Run ${commandCode(named('docmirror sync'))}, or wait for the schedule.</p>
    <p><a href="/">How the mirror stands</a></p>
  </section>`;
  return c.html(layout({ title: 'Nothing yet', body, here: 'browse' }), 404);
}

function missing(c: Context, message: string, hint?: Html): Response | Promise<Response> {
  const body = html`<section>
    <h2>Not here</h2>
    <p>${withCode(message)}</p>
    ${hint ?? ''}
    <p><a href="/browse">To the beginning of the mirror</a></p>
  </section>`;
  return c.html(layout({ title: 'Not here', body, here: 'browse' }), 404);
}
