import {
  kindOf,
  operationOf,
  parameterWord,
  pathParameters,
  type AnyOperationName,
  type KindName,
  type OperationName,
} from '../contract/index.ts';

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

/** The operation that reads a resource of a kind by itself; throws where the contract has none. */
export function directRead(kind: KindName): OperationName {
  const { get } = kindOf(kind);
  if (get === undefined) throw new Error(`${kind} has no direct read`);
  return get;
}
