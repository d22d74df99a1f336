/** The views over all of it, for SQL. */
export { keysWhere, openQuery, runQuery, type Answer } from './query.ts';
export { recipeOf, recipes, NAMED_SPACES, type Recipe } from './recipes.ts';
export { notePromise } from './freshness.ts';
