// Links of what is made anew into what stays where it was: told before the first write, as nobody sees it afterwards.
import { count, few, type Pieces } from '../../base/index.ts';
import { AppAddresses } from '../../export/index.ts';
import { PAGES_AT_ONCE, type SnapshotReader } from '../../mirror/index.ts';
import { AddressLinks } from './address-links.ts';
import { linkedElsewhere, pagesLinked, type LinkedElsewhere } from './links.ts';
import { titleOf } from '../resource.ts';
import type { Plan, PlanStep, PreflightCheck } from '../types.ts';

const SHOWN_SPACES = 5;

/** Ids of the pages that a plan leaves out of the spaces it makes, since single pages were asked for. */
export function* pagesLeftOut(
  reader: SnapshotReader,
  { steps, only }: Pick<Plan, 'steps' | 'only'>,
): Pieces<Set<string>> {
  const left = new Set<string>();
  let looked = 0;
  if (only.page === undefined) return left;
  const asked = new Set(only.page);
  for (const { kind, part, key } of steps) {
    if (kind !== 'revision' || part !== 'content') continue;
    for (const page of reader.outline('page', key)) {
      if (++looked % PAGES_AT_ONCE === 0) yield;
      if (page.holds && !asked.has(page.key)) left.add(page.id);
    }
  }
  return left;
}

/** A warning where single pages link to others of the spaces that are made for them. */
export function* linksLeftOut(reader: SnapshotReader, plan: Pick<Plan, 'steps' | 'only'>): Pieces<PreflightCheck[]> {
  const left = yield* pagesLeftOut(reader, plan);
  const asked = (plan.only.page ?? []).map((key) => reader.one('page', key));
  const linking = asked.filter((page) => pagesLinked(page?.text ?? '').some((id) => left.has(id))).length;
  if (linking === 0) return [];
  const verb = linking === 1 ? 'links' : 'link';
  const detail = `${count(linking, 'page')} ${verb} to pages that are not part of this plan: these links will lead nowhere`;
  return [{ check: 'links to what is left out', state: 'warn', detail }];
}

/** Spaces that a plan makes anew. */
export function spacesMade(steps: readonly PlanStep[]): Set<string> {
  return new Set(steps.filter(({ kind, part }) => kind === 'space' && part === 'create').map(({ key }) => key));
}

/** Where links lead that stay as they are: the ids of the originals mean nothing on another platform. */
export function leadingOn(url: string, { origin }: Pick<Plan, 'origin'>): string {
  return url === origin
    ? 'these links keep leading to the originals'
    : 'these links stay as they are, and lead to the originals by whole addresses alone: by ids they lead nowhere on another platform';
}

interface Leaving extends Pick<Plan, 'steps' | 'linked'> {
  readonly leading: string;
}

/** A warning where pages link into spaces of the snapshot that neither come along nor are there. */
export function* linksElsewhere(
  reader: SnapshotReader,
  { steps, linked = {}, leading }: Leaving,
): Pieces<PreflightCheck[]> {
  const made = spacesMade(steps);
  const isTurned = ({ space, page }: LinkedElsewhere): boolean =>
    linked[page === undefined ? 'space' : 'page']?.[page === undefined ? space : `${space}/${page}`] !== undefined;
  const left = new Set<string>();
  const known = new AppAddresses(reader);
  let pages = 0;
  let looked = 0;
  for (const { kind, part, key } of steps) {
    if (kind !== 'revision' || part !== 'links') continue;
    const addresses = new AddressLinks(known, key);
    for (const page of reader.resources('page', key)) {
      if (++looked % PAGES_AT_ONCE === 0) yield;
      const links = linkedElsewhere(addresses.byId(page.text ?? ''), key).filter(
        (link) => !made.has(link.space) && !isTurned(link),
      );
      const into = links.filter(({ space }) => reader.one('space', space));
      for (const { space } of into) left.add(space);
      if (into.length > 0) pages += 1;
    }
  }
  if (pages === 0) return [];
  const verb = pages === 1 ? 'links' : 'link';
  const detail = `${count(pages, 'page')} ${verb} into ${namesOf(reader, left)}: not part of this plan, so ${leading}`;
  return [{ check: 'links elsewhere', state: 'warn', detail }];
}

/** Titles, with the organizations that they belong to. */
export function namesOf(reader: SnapshotReader, spaces: ReadonlySet<string>): string {
  const names = [...spaces].map((id) => {
    const space = reader.one('space', id);
    const organization = reader.one('organization', String(space?.body['organization']));
    return `${space ? titleOf(space) : id}${organization ? ` of ${titleOf(organization)}` : ''}`;
  });
  return few(names, SHOWN_SPACES);
}
