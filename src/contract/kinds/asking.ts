// How a resource is asked for by itself.
import { operationOf, pathParameters, type AnyOperationName, type OperationName } from '../operations/index.ts';
import { parameterWord } from './fields.ts';
import { kindOf, type KindName } from './index.ts';

/** The path parameters of an operation out of those known; throws on one that is missing, which is a fault of ours. */
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

/** What its listing is asked with, as the format of texts, as far as the direct read knows it too: both tell the same then. */
export function directQuery(kind: KindName): Readonly<Record<string, string>> {
  const { read } = kindOf(kind);
  const asked = 'query' in read ? (read.query ?? {}) : {};
  const known = operationOf(directRead(kind)).query?.properties ?? {};
  return Object.fromEntries(Object.entries(asked).filter(([name]) => Object.hasOwn(known, name)));
}
