// Fields as YAML, as the library writes them; what recurs on every page is not written anew each time.
import { stringify } from 'yaml';

// Words that begin with a letter, and points in time: nothing in them means anything to YAML, but for the words that it has itself.
const PLAIN = /^(?!(?:null|true|false)$)[a-z][a-z0-9]*(?:[ -][a-z0-9]+)*$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const REMEMBERED = 500;

/** Writes fields, one by one, in their order. */
export class FieldWriter {
  readonly #known = new Map<string, string>();

  /** The same text as the library gives for a record with these fields. */
  write(fields: Readonly<Record<string, unknown>>): string {
    return Object.entries(fields)
      .map(([name, value]) => this.#field(name, value))
      .join('');
  }

  /** One field whose value is written in another form, which is made once for equal values. */
  writeAs(name: string, value: unknown, form: (value: unknown) => unknown): string {
    return this.#remembered(`as ${name}: ${JSON.stringify(value)}`, () => yamlOf(name, form(value)));
  }

  #field(name: string, value: unknown): string {
    if (isPlain(value)) return `${name}: ${value}\n`;
    if (typeof value === 'string') return yamlOf(name, value);
    return this.#remembered(`${name}: ${JSON.stringify(value)}`, () => yamlOf(name, value));
  }

  #remembered(key: string, make: () => string): string {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const text = make();
    if (this.#known.size < REMEMBERED) this.#known.set(key, text);
    return text;
  }
}

function isPlain(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return PLAIN.test(value) || TIME.test(value);
  return typeof value === 'boolean' || Number.isSafeInteger(value);
}

function yamlOf(name: string, value: unknown): string {
  return stringify({ [name]: value }, { lineWidth: 0 });
}
