// Building blocks of the resource schemas. Source: the API document, "Conventions"; enums that it leaves open
// are those of the public reference platform. Reading is lenient: these schemas bind what is sent and produced, never what is kept.
import Type, { type TProperties, type TSchema } from 'typebox';

/** A resource: `object` is a string constant that names its type (Conventions 1). */
export function entity<const Name extends string, Fields extends TProperties>(name: Name, fields: Fields) {
  return Type.Object({ object: Type.Literal(name), ...fields });
}

/** `null` is allowed beside the given type. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** An object whose members are all optional, as `urls` and `permissions` are (Conventions 4). */
export function partial<Fields extends TProperties>(fields: Fields) {
  return Type.Partial(Type.Object(fields));
}

/** The list envelope (Conventions 3): `next` is absent on the last page; `count` is a hint, never relied upon. */
export function listOf<T extends TSchema>(item: T) {
  return Type.Object({
    next: Type.Optional(Type.Object({ page: Type.String() })),
    count: Type.Optional(Type.Integer()),
    items: Type.Array(item),
  });
}

export const Id = Type.String({ minLength: 1 });
export const DateTime = Type.String({ format: 'date-time' });
export const Uri = Type.String({ format: 'uri' });
export const Text = Type.String();
export const Flag = Type.Boolean();
/** What a record may call its members: the pattern of plain text ends at a line break, and what has one would not be checked. */
export const MemberName = Type.String({ pattern: '^[\\s\\S]*$' });
export const Count = Type.Number({ minimum: 0 });

/** Lowest to highest: read, comment, edit, review, create, admin (Conventions 5). */
export const ROLES = ['admin', 'create', 'review', 'edit', 'comment', 'read'] as const;
export const Role = Type.Enum([...ROLES]);
/** `null` is a guest. */
export const MemberRole = nullable(Role);
/** The default level of content also takes `inherit` on the reference platform, where it is the default. */
export const ContentLevel = Type.Union([Type.Enum([...ROLES, 'inherit']), Type.Null()]);

/** Conventions 7; `email` and `photoURL` are optional on the reference platform. */
export const User = entity('user', {
  id: Id,
  displayName: Text,
  email: Type.Optional(Text),
  photoURL: Type.Optional(Text),
  urls: partial({ location: Text }),
});

/** A place between siblings (Conventions 6): `before`, `after`, both or neither; neither means the end. */
export function positionOf<T extends TSchema>(reference: T) {
  return Type.Object({ before: Type.Optional(reference), after: Type.Optional(reference) });
}

/** A pointer inside a position: `{type: <resource type>, <key>: <id>}`. */
export function pointer<const Name extends string, Fields extends TProperties>(type: Name, fields: Fields) {
  return Type.Object({ type: Type.Literal(type), ...fields });
}

/** Spaces and collections share one order, so both may be pointed at. */
export const ContentPosition = positionOf(
  Type.Union([pointer('space', { space: Id }), pointer('collection', { collection: Id })]),
);

export const LightDark = partial({ light: Text, dark: Text });
