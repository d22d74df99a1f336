// What the contract promises of an answer, and what an answer is that breaks it. Who goes on with an answer takes fields out of it:
// an id that is missing would be asked for as such ever after, and a list that is missing would pass for an empty one.
import { isRecord, valueAt } from '../base/index.ts';
import { makes, operationOf, reliedOn, writtenTold, type AnyOperationName, type Relied } from '../contract/index.ts';
import { isList } from './large-json.ts';

/** True for an operation that answers with a status alone. */
export function answersNothing(operation: AnyOperationName): boolean {
  return operationOf(operation).response === undefined;
}

/** True for a write that a status alone tells the success of, whatever was promised; what was made has to be told by its id. */
export function isDoneUnsaid(operation: AnyOperationName): boolean {
  return operationOf(operation).method !== 'GET' && !makes(operation);
}

/** What the answer has that was not promised, and what was; null where it is as promised. */
export function otherThanPromised(operation: AnyOperationName, answer: unknown): string | null {
  if (answersNothing(operation)) return null;
  const relied = reliedOn(operation);
  if (relied === undefined) return otherThanWritten(operation, answer);
  if (relied.things === 'listed' && !Array.isArray(answer)) return `${nameOf(answer)}; expected a list`;
  if (relied.things !== 'listed' && !isRecord(answer)) return `${nameOf(answer)}; expected a JSON object`;
  return withoutList(relied, answer) ?? withoutId(relied, answer);
}

function otherThanWritten(operation: AnyOperationName, answer: unknown): string | null {
  const isMade = makes(operation);
  const { response } = operationOf(operation);
  if (!isMade && !(response && 'type' in response && response.type === 'object')) return null;
  if (!isRecord(answer)) return `${nameOf(answer)}; expected a JSON object`;
  if (isMade) {
    if (isId(answer.id)) return null;
    return `${seen('an object', 'id', answer.id)}; expected the id of what was made, since it may have been made`;
  }
  const field = writtenTold(operation);
  if (field === undefined || isId(answer[field])) return null;
  return `${seen('an object', field, answer[field])}; expected the ${field} of what was written, since it may not have been`;
}

function withoutList({ things, parts }: Relied, answer: unknown): string | null {
  const lists = things === 'items' ? ['items'] : parts;
  const body = isRecord(answer) ? answer : {};
  const lacking = lists.find((field) => !isList(body[field]));
  return lacking === undefined ? null : `${seen('an object', lacking, body[lacking])}; expected a list`;
}

function withoutId(relied: Relied, answer: unknown): string | null {
  const all = thingsOf(relied, answer);
  const { id, kind, things } = relied;
  const nth = all.findIndex((value) => !isRecord(value) || (id !== null && !isId(valueAt(value, id))));
  if (nth < 0) return null;
  const value = all[nth];
  const where = things === 'answer' ? 'an object' : `an item (${nth + 1} of ${all.length})`;
  if (!isRecord(value)) return `${where} that is ${nameOf(value)}; expected a JSON object`;
  return `${seen(where, id ?? '', valueAt(value, id ?? ''))}; expected the ${id} of each ${kind ?? 'thing'}`;
}

function thingsOf({ things }: Relied, answer: unknown): readonly unknown[] {
  if (things === 'answer') return [answer];
  const list: unknown = things === 'items' && isRecord(answer) ? answer.items : answer;
  return Array.isArray(list) ? list : [];
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function seen(where: string, field: string, value: unknown): string {
  return value === undefined ? `${where} without ${field}` : `${where} whose ${field} is ${nameOf(value)}`;
}

function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${String(value)}`;
  if (value === null) return 'null';
  return value === '' ? 'an empty text' : `a${typeof value === 'string' ? ' text' : 'n object'}`;
}
