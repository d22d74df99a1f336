// YAML that anybody may have written.
import { Composer, isScalar, Parser, visit, type CST, type Document } from 'yaml';
import { isRecord } from '../base/index.ts';

export interface YamlReading {
  /** How often an alias may stand for what it means. */
  readonly maxAliases: number;
  /** Takes what can be read of a text with faults. */
  readonly isLenient: boolean;
}

// What reads it goes down into it step by step. Where the stack ends amid a pattern that is made then, the whole process ends.
const MOST_DEPTH = 200;

/**
 * The value of a text; of a name that stands twice the last one holds, as in JSON. Throws for more aliases, for what is nested too deep,
 * and for what is no YAML. So it does for a name that is itself a list or a map, which is left out of a lenient reading: some hundred of
 * them within each other would take longer to write as texts than anybody waits.
 */
export function readYaml(text: string, { maxAliases, isLenient }: YamlReading): unknown {
  const document = documentOf(text, isLenient);
  visit(document, {
    Pair: (_, { key }) => {
      if (key === null || isScalar(key)) return undefined;
      if (isLenient) return visit.REMOVE;
      throw new Error('a name in it is no plain text');
    },
  });
  return document.toJS({ maxAliasCount: maxAliases });
}

function documentOf(text: string, isLenient: boolean): Document {
  const tokens = [...new Parser().parse(text)];
  if (isTooDeep(tokens)) throw new Error(`it is nested more than ${MOST_DEPTH} deep`);
  // That names differ would be looked up for each pair of them.
  const composer = new Composer({ logLevel: 'silent', uniqueKeys: false });
  const [document, more] = composer.compose(tokens, true, text.length);
  if (document === undefined) throw new Error('it holds nothing');
  const [fault] = document.errors;
  if (fault !== undefined && !isLenient) throw fault;
  if (more !== undefined && !isLenient) throw new Error('it holds several documents');
  return document;
}

function isTooDeep(tokens: readonly CST.Token[]): boolean {
  let level: unknown[] = [...tokens];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_DEPTH) return true;
    level = level.flatMap(partsOf);
  }
  return false;
}

/** What stands one level below a token. */
function partsOf(token: unknown): unknown[] {
  if (!isRecord(token)) return [];
  if (token['type'] === 'document') return isRecord(token['value']) ? [token['value']] : [];
  const items: unknown[] = Array.isArray(token['items']) ? token['items'] : [];
  return items.flatMap((item) => (isRecord(item) ? [item['key'], item['value']].filter(isRecord) : []));
}
