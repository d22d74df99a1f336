import { notFound, type ShareLink } from '../../contract/index.ts';
import { isoTime } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { defined } from '../defined.ts';
import { showShareLink } from '../show/sites.ts';
import { rowPage } from '../store/plain-rows.ts';
import type { ShareLinkRow } from '../store/site-tables.ts';
import { findSite } from '../store/sites.ts';
import type { HandlerRequest, Handlers } from './types.ts';

const KEY_LENGTH = 32;

function findShareLink(context: PlatformContext, path: HandlerRequest<'updateShareLink'>['path']): ShareLinkRow {
  const row = context.db
    .prepare<ShareLinkRow>('select * from share_links where site = ? and id = ?')
    .get(path.siteId, path.shareLinkId);
  if (!row) throw notFound('Share link', path.shareLinkId);
  return row;
}

export const shareLinkHandlers = {
  listShareLinks: (context, { path, query }) => {
    const site = findSite(context, path);
    return rowPage<ShareLinkRow, ShareLink>(context, { table: 'share_links', of: ['site', site.id], query }, (row) =>
      showShareLink(context, site, row),
    );
  },

  createShareLink: (context, { path, body }) => {
    const site = findSite(context, path);
    const row: ShareLinkRow = {
      id: context.random.id(),
      site: site.id,
      name: body.name,
      active: 1,
      key: context.random.id(KEY_LENGTH),
      created_at: isoTime(context.clock.now()),
    };
    context.db.run(context.db.sql.insertInto('share_links').values(row));
    return showShareLink(context, site, row);
  },

  deleteShareLink: (context, { path }) => {
    findSite(context, path);
    const { id } = findShareLink(context, path);
    context.db.run(context.db.sql.deleteFrom('share_links').where('id', '=', id));
    return undefined;
  },

  updateShareLink: (context, { path, body }) => {
    const site = findSite(context, path);
    const row = findShareLink(context, path);
    const { name, active } = body;
    const fields = defined({ name, active: active === undefined ? undefined : Number(active) });
    if (Object.keys(fields).length > 0) {
      context.db.run(context.db.sql.updateTable('share_links').set(fields).where('id', '=', row.id));
    }
    return showShareLink(context, site, findShareLink(context, path));
  },
} satisfies Handlers;
