// A link by the address at which the app shows something is compared as the link by id that leads to the same: both forms are as good,
// and platforms write either. In place the addresses of what has the id that it had are those that stand.
import { isComment, isPage } from '../../contract/index.ts';
import { AppAddresses } from '../../export/index.ts';
import type { Resource } from '../../mirror/index.ts';
import { AddressLinks, addressTurned } from '../links/address-links.ts';
import type { Sides } from './sides.ts';
import { commentText, spaceOf } from '../resource.ts';

export class ByAddress {
  readonly #sides: Sides;
  readonly #was: AppAddresses;
  readonly #is: AppAddresses;

  constructor(sides: Sides) {
    this.#sides = sides;
    this.#was = new AppAddresses(sides.original);
    this.#is = new AppAddresses(sides.restored);
  }

  /** A page or comment of the snapshot; links to what was not restored stay as they are. */
  wanted(resource: Resource): Resource {
    const { ids, live } = this.#sides;
    const own = spaceOf(resource);
    const isMeant = addressTurned({ ids, own, isInPlace: live !== null });
    const wanted = withLinks(resource, (text) => new AddressLinks(this.#was, own).byId(text, isMeant));
    return live === null ? wanted : this.#standing(wanted, ids.byId('space', own) ?? own);
  }

  /** The same as it was found. */
  got(resource: Resource): Resource {
    return this.#standing(resource, spaceOf(resource));
  }

  #standing(resource: Resource, own: string): Resource {
    return withLinks(resource, (text) => new AddressLinks(this.#is, own).byId(text));
  }
}

function withLinks(resource: Resource, rewrite: (text: string) => string): Resource {
  const { kind, text, body } = resource;
  if (isComment(kind)) {
    const said = commentText(body);
    return said === null ? resource : { ...resource, body: { ...body, body: { markdown: rewrite(said) } } };
  }
  if (text === null || !isPage(kind)) return resource;
  return { ...resource, text: rewrite(text) };
}
