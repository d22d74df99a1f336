// Edits that give pages what an import could not tell of them, or did not take over.
import type { Page } from '../../../contract/index.ts';
import { fieldAsSet, NOT_IMPORTED } from '../../special/page-fields.ts';
import { pagesById } from '../../special/page-places.ts';
import type { Body } from '../../resource.ts';
import type { ContentChange } from '../../target/own-request.ts';

export interface ShownPage {
  /** On the target. */
  readonly id: string;
  /** As the snapshot has it. */
  readonly body: Body;
}

/** @param now The pages as an import left them. */
export function fieldsShown(wanted: readonly ShownPage[], now: readonly Page[]): ContentChange[] {
  const there = pagesById(now);
  return wanted.flatMap(({ id, body }): ContentChange[] => {
    const page = there.get(id);
    if (page === undefined) return [];
    const stands = { ...page };
    const fields = NOT_IMPORTED.filter((field) => fieldAsSet(body, field) !== fieldAsSet(stands, field));
    const values = Object.fromEntries(fields.map((field) => [field, fieldAsSet(body, field)]));
    return fields.length === 0 ? [] : [{ type: 'update_page', page: id, ...values }];
  });
}
