import type { Role } from '../../contract/index.ts';

const RANK: Readonly<Record<Role, number>> = { read: 1, comment: 2, edit: 3, review: 4, create: 5, admin: 6 };

/** One that a newer platform has does what every role does. */
function rankOf(role: Role): number {
  const known: number | undefined = RANK[role];
  return known ?? RANK.read;
}

/** True when the role reaches as far as the wanted one; a guest (null) reaches nothing. */
export function reaches(role: Role | null, wanted: Role): boolean {
  return role !== null && rankOf(role) >= rankOf(wanted);
}

/** The one that reaches further. */
export function higher(one: Role | null, other: Role | null): Role | null {
  return other === null || (one !== null && reaches(one, other)) ? one : other;
}
