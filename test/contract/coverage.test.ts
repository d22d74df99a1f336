import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coverage, isKindName, operationNames, operationOf } from '../../src/contract/index.ts';

const rows = coverage();

describe('contract/coverage', () => {
  it('lists each read of the contract exactly once', () => {
    const reads = operationNames.filter((name) => operationOf(name).method === 'GET');
    expect(rows.map(({ operation }) => operation)).toEqual(reads);
    expect(new Set(rows.map(({ path }) => path)).size).toBe(reads.length);
  });

  it('names the kinds of what is mirrored or derived, and a reason for all that is not read', () => {
    for (const { operation, is, kinds, why } of rows) {
      if (is === 'not mirrored') expect([kinds.length, why !== null && why.length > 20], operation).toEqual([0, true]);
      else
        expect([kinds.length > 0, kinds.every(isKindName), why === null], operation).toEqual([
          true,
          true,
          is === 'mirrored',
        ]);
    }
  });

  it('leaves unread only questions, what needs something to ask for, and what is computed from what is mirrored', () => {
    expect(
      rows
        .filter(({ is }) => is === 'not mirrored')
        .map(({ operation }) => operation)
        .toSorted(),
    ).toEqual([
      'listChangeRequestFileBacklinks',
      'listChangeRequestPageLinks',
      'listEmailDomainOrganizations',
      'searchOrganization',
      'searchSpace',
    ]);
  });

  it('covers the list of operations that is kept beside the tests', () => {
    const file = new URL('../fixtures/operations.json', import.meta.url);
    const listed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const operations = Array.isArray(listed) ? listed : (listed as { operations: unknown[] }).operations;
    const reads = (operations as { method: string; path: string }[]).filter(({ method }) => method === 'GET');
    const plain = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');
    expect(rows.map(({ path }) => plain(path)).toSorted()).toEqual(reads.map(({ path }) => plain(path)).toSorted());
  });
});
