// The SQL of a recipe is there to be copied into other tools, with the SQLite that these bring along.
import { describe, expect, it } from 'vitest';
import { recipes } from '../../src/mirror/index.ts';

/** How deep parentheses stand in each other, those in quotation marks left aside. */
function deepest(sql: string): number {
  let deep = 0;
  let most = 0;
  for (const sign of sql.replaceAll(/'[^']*'|"[^"]*"/g, '')) {
    deep += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    most = Math.max(most, deep);
  }
  return most;
}

describe('mirror/views/recipes, in other tools', () => {
  // Up to SQLite 3.45 its parser holds a hundred words at once, and a function within a function is four of them.
  it.each(recipes.map(({ name, sql }) => [name, sql]))(
    'nests %s no deeper than an older SQLite parses: orphan-files ended there with "parser stack overflow"',
    (_name, sql) => {
      expect(deepest(sql)).toBeLessThanOrEqual(20);
    },
  );
});
