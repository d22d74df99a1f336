/** What every server of the contract needs: which operation a request names, what its query says, pages of lists, refusals. No I/O. */
export {
  answeredMethod,
  answerTo,
  jsonAnswer,
  refusalAnswer,
  toResponse,
  unknownRoute,
  type Answer,
} from './answers.ts';
export { createMatcher, type OperationMatch, type OperationMatcher } from './match-operation.ts';
export {
  arrayPage,
  keptRows,
  listPage,
  type ListAnswer,
  type ListRequest,
  type ListSource,
  type SortKey,
} from './paging.ts';
export { readQuery } from './read-query.ts';
export { conflict, forbidden, invalid, notFound, notNow, Refusal } from './refusal.ts';
export { createSchemaChecks, type SchemaCheckOptions, type SchemaChecks } from './schema-checks.ts';
