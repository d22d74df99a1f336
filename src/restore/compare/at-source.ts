// What the platform that was mirrored did not tell, and every other one decides by itself.
import { requiredFieldsOf, type KindName } from '../../contract/index.ts';
import { isTextUnread, type Resource } from '../../mirror/index.ts';
import { isSaid } from '../resource.ts';

const DECIDED: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  space: ['editMode'],
  'site-section': ['default'],
  'site-space': ['default'],
  'share-link': ['active'],
  page: ['slug', 'path'],
  'change-request-page': ['slug', 'path'],
};

/**
 * Fields of which the snapshot says nothing, so that none of what the target may say is another. What the API promises is among them: a
 * platform of another version may not have it, and one that has it tells a value in any case.
 */
export function untoldAtSource(resource: Resource): readonly string[] {
  const { kind, body } = resource;
  const decided = [...(DECIDED[kind] ?? []), ...requiredFieldsOf(kind)];
  return [...decided.filter((field) => !isSaid(body, field)), ...(isTextUnread(resource) ? ['markdown'] : [])];
}
