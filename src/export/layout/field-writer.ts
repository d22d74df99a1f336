// Fields as YAML, as the library writes them; what recurs on every page is not written anew each time.
import { stringify } from 'yaml';

// Words that begin with a letter, and points in time: nothing in them means anything to YAML, but for the words that it has itself.
const PLAIN = /^(?!(?:null|true|false|yes|no|on|off|[yn]|e\d+)$)[a-z][a-z0-9]*(?:[ -][a-z0-9]+)*$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
// What some readers of YAML refuse, or take for the end of a line, unless it is escaped; for a tab that goes wherever nothing is quoted.
const ESCAPED = /[\t\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/;
const REMEMBERED = 500;

/** Writes fields, one by one, in their order, so that readers of YAML 1.1, as many are, and of YAML 1.2 read the same. */
export class FieldWriter {
  readonly #known = new Map<string, string>();

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
    if (isPlain(name, value)) return `${name}: ${value}\n`;
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

function isPlain(name: string, value: unknown): value is string | number | boolean {
  // A field of times is read as times; a text that looks like one stays a text.
  if (typeof value === 'string') return PLAIN.test(value) || (name.endsWith('At') && TIME.test(value));
  return typeof value === 'boolean' || Number.isSafeInteger(value);
}

function yamlOf(name: string, value: unknown): string {
  const text = stringify({ [name]: value }, { lineWidth: 0, compat: 'yaml-1.1' });
  // A sign of its own in YAML 1.1, which the library does not know.
  return ESCAPED.test(text) || value === '=' ? `${name}: ${escapedJson(value)}\n` : text;
}

/** JSON is YAML, and has an escape for everything. */
function escapedJson(value: unknown): string {
  const everywhere = new RegExp(ESCAPED, 'g');
  return JSON.stringify(value).replaceAll(
    everywhere,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
