// Fields as YAML, as the library writes them; what recurs on every page is not written anew each time.
import { stringify } from 'yaml';

// Words and spaces: nothing in them means anything to YAML, and they are no number, no null and no boolean.
const PLAIN = /^(?=.*[ -])[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z][A-Za-z0-9]*)*$/;
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

  #field(name: string, value: unknown): string {
    if (typeof value === 'string') return PLAIN.test(value) ? `${name}: ${value}\n` : yamlOf(name, value);
    const key = `${name}: ${JSON.stringify(value)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const text = yamlOf(name, value);
    if (this.#known.size < REMEMBERED) this.#known.set(key, text);
    return text;
  }
}

function yamlOf(name: string, value: unknown): string {
  return stringify({ [name]: value }, { lineWidth: 0 });
}
