import { operationOf, parameterWord, pathParameters, type AnyOperationName } from '../contract/index.ts';

/** The path parameters of an operation out of those known; throws on one that is missing, which is a fault of the contract. */
export function pathFor(operation: AnyOperationName, known: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    pathParameters(operationOf(operation).path).map((name) => {
      const value = known[name];
      if (value === undefined) throw new Error(`${operation} needs the id of its ${parameterWord(name)}`);
      return [name, value];
    }),
  );
}
