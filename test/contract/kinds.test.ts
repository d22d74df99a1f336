import { describe, expect, it } from 'vitest';
import {
  NAMED_AT,
  allOperations,
  childKinds,
  fieldsOf,
  isKindName,
  kindNames,
  kindOf,
  operationOf,
  pathParameters,
  viewKinds,
  type AnyOperationName,
  type KindName,
} from '../../src/contract/index.ts';

const VIEWS = `organizations members teams team_memberships space_members saml_providers invites collections spaces
revisions pages files reusable_contents links change_requests comments comment_replies custom_fields custom_field_values
sites site_sections site_section_groups site_spaces share_links site_adaptive_schemas published_sites openapi_specs
openapi_spec_versions translation_settings`.split(/\s+/);

/** By what a kind is called that has none of the fields by which others are. */
const NAMED_OTHERWISE: readonly (readonly [string, readonly KindName[]])[] = [
  ['its first words', ['comment', 'comment-reply', 'change-request-comment', 'change-request-comment-reply']],
  ['what it leads to', ['link']],
  ['what it stands between', ['space-member', 'team-membership']],
  [
    'what it is a part of',
    [
      'revision',
      'change-request-revision',
      'page-document',
      'change-request-page-document',
      'openapi-spec-content',
      'site-adaptive-schema',
      'published-site',
    ],
  ],
  ['its id, which says what it is', ['custom-field-value', 'openapi-spec-version', 'invite']],
];

function operationsOf(kind: KindName): AnyOperationName[] {
  const { get, create, update, remove, move, read } = kindOf(kind);
  const reading = 'operation' in read ? read.operation : undefined;
  return [get, create, update, remove, move, reading].filter((one) => one !== undefined);
}

function parametersOf(operation: AnyOperationName): string[] {
  return pathParameters(operationOf(operation).path);
}

describe('contract/kinds', () => {
  it('gives every view that scripts rely on', () => {
    expect([...viewKinds().keys()]).toEqual(expect.arrayContaining(VIEWS));
  });

  it('puts parents before children, all reachable from the organization', () => {
    const reached = new Set<KindName>();
    const visit = (kind: KindName): void => {
      reached.add(kind);
      for (const child of childKinds(kind)) visit(child);
    };
    visit('organization');
    expect(kindNames.filter((kind) => !reached.has(kind))).toEqual([]);
    for (const kind of kindNames) {
      const { parent } = kindOf(kind);
      if (parent === null) continue;
      if (!isKindName(parent)) throw new Error(`${kind} has an unknown parent ${parent}`);
      expect(kindNames.indexOf(parent), kind).toBeLessThan(kindNames.indexOf(kind));
    }
  });

  it('gives each kind a field that people call it by, or something else that it is called by: it would show by its id alone', () => {
    const names = NAMED_AT.map((path) => path.split('.')[0] ?? '');
    const unnamed = kindNames.filter((kind) => !names.some((field) => fieldsOf(kind).has(field)));
    expect(unnamed.toSorted()).toEqual(NAMED_OTHERWISE.flatMap(([, of]) => of).toSorted());
  });

  describe.each(kindNames)('%s', (name) => {
    const kind = kindOf(name);

    it('names only operations that exist', () => {
      for (const operation of operationsOf(name)) expect(allOperations).toHaveProperty(operation);
    });

    it('is identified by path parameters that its reads know', () => {
      if (kind.get && kind.id !== null) {
        const known = parametersOf(kind.get);
        // One answer holds them all, or the id alone is unique on the platform.
        expect(kind.params).toEqual(expect.arrayContaining(known));
      }
      if (!('operation' in kind.read)) return;
      const above = kind.parent !== null && isKindName(kind.parent) ? kindOf(kind.parent).params : [];
      expect([...above, ...kind.params]).toEqual(expect.arrayContaining(parametersOf(kind.read.operation)));
    });

    it('is written to at an address that its own parameters give', () => {
      for (const operation of [kind.update, kind.remove, kind.move]) {
        if (operation !== undefined)
          expect(kind.params, operation).toEqual(expect.arrayContaining(parametersOf(operation)));
      }
    });

    it('refers only to kinds and fields that exist', () => {
      const fields = fieldsOf(name);
      for (const [path, target] of Object.entries({ ...kind.refs, ...kind.embeds })) {
        expect(isKindName(target), `${path} -> ${target}`).toBe(true);
        expect(fields.has(path.split('.')[0] ?? ''), path).toBe(true);
      }
      if (kind.read.from === 'part') expect(isKindName(kind.parent ?? '')).toBe(true);
    });

    it('is counted and moved by fields that its parent has', () => {
      const parent = kind.parent;
      if (parent === null || !isKindName(parent)) return;
      const fields = fieldsOf(parent);
      for (const field of [...(kind.movesWith ?? []), ...(kind.countedBy === undefined ? [] : [kind.countedBy])]) {
        expect(fields.has(field), `${parent}.${field}`).toBe(true);
      }
    });
  });
});
