// Values of custom fields. They are gone with their field, with their space, and when the space goes to another organization.
import type { BodyOf } from '../../contract/index.ts';
import type { PlatformContext } from '../context.ts';
import type { CustomFieldValueRow } from './tables.ts';

export type FieldValue = NonNullable<BodyOf<'updateCustomFieldValues'>['values']>[string]['value'];

type Store = Pick<PlatformContext, 'db'>;

/** By the id of the field; a field without a value has no entry. */
export function fieldValues(context: Store, space: string): ReadonlyMap<string, FieldValue> {
  const rows = context.db.prepare<CustomFieldValueRow>('select * from custom_field_values where space = ?').all(space);
  return new Map(rows.map((row) => [row.field, JSON.parse(row.value) as FieldValue]));
}

interface ValuePlace {
  readonly space: string;
  readonly field: string;
}

/** Answers whether the field had another value, or none. */
export function saveFieldValue(context: Store, at: ValuePlace, value: FieldValue): boolean {
  const { changes } = context.db
    .prepare(
      `insert into custom_field_values (space, field, value) values (@space, @field, @value)
       on conflict do update set value = excluded.value where value <> excluded.value`,
    )
    .run({ ...at, value: JSON.stringify(value) });
  return changes > 0;
}

/** Answers whether the field had a value. */
export function deleteFieldValue(context: Store, at: ValuePlace): boolean {
  const { changes } = context.db
    .prepare('delete from custom_field_values where space = @space and field = @field')
    .run(at);
  return changes > 0;
}

export function copyFieldValues(context: Store, copy: { from: string; to: string }): void {
  context.db
    .prepare(
      `insert into custom_field_values (space, field, value)
       select @to, field, value from custom_field_values where space = @from`,
    )
    .run(copy);
}
