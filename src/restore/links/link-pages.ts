// Pages that are links to other things of the platform. An import knows addresses alone: once what they refer to stands, they are
// written as the address at which the app shows it, which a platform can read as a reference again.
import { isRecord } from '../../base/index.ts';
import { isPage, type KindName, type Page } from '../../contract/index.ts';
import {
  type AppAddresses,
  appAddress,
  followLink,
  destinationPart,
  referenceOf,
  type Leading,
  type StableLink,
} from '../../export/index.ts';
import type { Outlined, Resource, SnapshotReader } from '../../mirror/index.ts';
import type { ContentSource, Leads } from '../content/import-parts.ts';
import { textAt } from '../resource.ts';

type Linking = Pick<Outlined, 'body'>;

/** What a link page refers to, of what the snapshot holds and an address leads to. */
export interface Referred {
  readonly kind: KindName;
  readonly key: string;
  /** The place in it, as an address ends. */
  readonly rest: string;
}

/** The link pages of one content: what each refers to, and where it leads in an import. */
export class LinkPages {
  readonly #reader: SnapshotReader;
  readonly #source: ContentSource;
  readonly #addresses: AppAddresses;

  /** @param addresses Of the snapshot; one for all spaces, since it reads each of them. */
  constructor(reader: SnapshotReader, source: ContentSource, addresses: AppAddresses) {
    this.#reader = reader;
    this.#source = source;
    this.#addresses = addresses;
  }

  /** Null for a page that is no link, and for a link to anything else. */
  referred({ body }: Linking): Referred | null {
    if (body['type'] !== 'link') return null;
    const link = referenceOf(leadingOf(body), this.#addresses);
    return link && this.#referredBy(link);
  }

  /** True for a page that can be written only when the new addresses are known. */
  isLate(page: Linking): boolean {
    return this.referred(page) !== null;
  }

  /** True for a page that no address leads on from: no import makes such a link. */
  isBeyondImport(page: Linking): boolean {
    return page.body['type'] === 'link' && !this.isLate(page) && this.#follow(leadingOf(page.body), new Map()) === null;
  }

  /** Where a page leads in an import; null for one that is left out of it. */
  follow(page: Leading): string | null {
    const { leads } = this.#source;
    const link = leads === undefined ? referenceOf(page, this.#addresses) : null;
    if (link !== null && this.#referredBy(link) !== null) return null;
    return this.#follow(page, leads ?? new Map());
  }

  /** True for a page of the target that leads to where this one is to lead. */
  isAsWritten({ body }: Linking, made: Page): boolean {
    if (made.type !== 'link' || made.title !== (textAt(body, 'title') ?? '')) return false;
    const referred = this.referred({ body });
    if (referred === null) return false;
    const lead = this.#source.leads?.get(nameOf(referred));
    if (lead !== undefined && idReferred(made.target) === lead.id) return true;
    const original = appAddress(this.#reader.one(referred.kind, referred.key)?.body);
    const kept = leadingOf(body).href ?? (original === null ? null : original + referred.rest);
    const address = lead?.address ?? null;
    const wanted = address === null ? kept : address + referred.rest;
    return wanted !== null && wanted === leadingOf({ ...made }).href;
  }

  #follow(page: Leading, leads: Leads): string | null {
    const resolve = (link: StableLink): string | null => {
      const referred = this.#referredBy(link);
      const address = (referred && leads.get(nameOf(referred))?.address) ?? null;
      return address === null ? null : destinationPart(address);
    };
    return followLink({ reader: this.#reader, space: this.#source.space, addresses: this.#addresses, resolve }, page);
  }

  #referredBy({ to, space, id, rest }: StableLink): Referred | null {
    const { space: own, changeRequest } = this.#source;
    const holds = (kind: KindName, key: string): boolean => {
      const body = this.#reader.one(kind, key)?.body;
      // Nothing leads to a page that leads elsewhere itself.
      return body !== undefined && body['type'] !== 'link';
    };
    if (to === 'page' && holds('page', `${space ?? own}/${id}`))
      return { kind: 'page', key: `${space ?? own}/${id}`, rest };
    const proposed = `${own}/${changeRequest ?? ''}/${id}`;
    if (
      to === 'page' &&
      changeRequest !== undefined &&
      (space ?? own) === own &&
      holds('change-request-page', proposed)
    )
      return { kind: 'change-request-page', key: proposed, rest };
    if (to !== 'space') return null;
    if (holds('space', id)) return { kind: 'space', key: id, rest };
    return holds('collection', id) ? { kind: 'collection', key: id, rest } : null;
  }
}

/** By which new addresses are found. */
export function nameOf({ kind, key }: Pick<Referred, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

export function leadingOf(body: Readonly<Record<string, unknown>>): Leading {
  const { href, target } = body;
  const url = isRecord(target) ? target['url'] : undefined;
  const text = [href, url].find((one) => typeof one === 'string' && one !== '');
  return { href: typeof text === 'string' ? text : null, target };
}

/** The id that a content reference names. */
function idReferred(target: unknown): string | undefined {
  return isRecord(target)
    ? (textAt(target, 'page') ?? textAt(target, 'space') ?? textAt(target, 'collection'))
    : undefined;
}

/** True for a link page with a reference, or an address that stands for one: whether it comes back as one is for the target to say. */
export function isReference({ kind, body }: Pick<Resource, 'kind' | 'body'>): boolean {
  const { type, target } = body;
  return isPage(kind) && type === 'link' && isRecord(target) && target['kind'] !== 'url';
}
