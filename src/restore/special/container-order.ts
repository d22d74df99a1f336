import { groupBy, lazyBy } from '../../base/index.ts';
import type { Resource, SnapshotReader } from '../../mirror/index.ts';
import { inOrder, textAt } from '../resource.ts';

type Container = 'collection' | 'space';

/**
 * Collections and spaces of an organization by what they stand in, in their order: all of a kind is read once, whoever of it is asked
 * for. What stands in no collection has siblings in its own organization alone.
 */
export class ContainerOrder {
  readonly #reader: SnapshotReader;
  readonly #organization: string;
  readonly #all = lazyBy((kind: Container) => this.#read(kind));

  constructor(reader: SnapshotReader, organization: string) {
    this.#reader = reader;
    this.#organization = organization;
  }

  /** Those whose place the listing told; `parent` is undefined for what stands in no collection. */
  below(kind: Container, parent: string | undefined): readonly Resource[] {
    return this.#all(kind).get(parent) ?? [];
  }

  #read(kind: Container): Map<string | undefined, Resource[]> {
    const listed = inOrder(this.#reader.resources(kind)).filter(
      ({ position, body }) => position !== null && body['organization'] === this.#organization,
    );
    return groupBy(listed, ({ body }) => textAt(body, 'parent'));
  }
}
