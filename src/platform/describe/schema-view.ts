// Schemas as people read them: a type in words, and tables of fields.
import { html } from 'hono/html';
import { isRecord } from '../../base/index.ts';
import { nameOfReference, type Schema } from './components.ts';

export type Html = ReturnType<typeof html>;

/** `string, at most 50 characters`, `Space`, `list of Comment`, … with links to what has a name. */
export function typeView(schema: unknown): Html {
  if (!isRecord(schema)) return html`anything`;
  const name = nameOfReference(schema['$ref']);
  if (name !== null) return html`<a href="#${name}">${name}</a>`;
  const { anyOf, enum: values, type, items } = schema;
  if ('const' in schema) return html`<code>${String(schema['const'])}</code>`;
  if (Array.isArray(anyOf)) return joined(anyOf.map(typeView));
  if (Array.isArray(values)) return joined(values.map((value) => html`<code>${String(value)}</code>`));
  if (type === 'array') return html`list of ${typeView(items)}${bounds(schema)}`;
  if (type === 'object' && isRecord(schema['properties'])) return fieldsView(schema);
  return html`${typeof type === 'string' ? type : 'anything'}${bounds(schema)}`;
}

/** A table of the fields of an object. */
export function fieldsView(schema: Schema): Html {
  const { properties, required } = schema;
  if (!isRecord(properties)) return typeView(schema);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return html`<table>
    ${Object.entries(properties).map(
      ([name, field]) =>
        html`<tr>
          <th>
            <code>${name}</code>${needed.includes(name) ? html`<span class="needed" title="required">*</span>` : ''}
          </th>
          <td>${typeView(field)}</td>
        </tr>`,
    )}
  </table>`;
}

function joined(parts: readonly Html[]): Html {
  return html`${parts.map((part, i) => (i === 0 ? part : html` · ${part}`))}`;
}

const BOUNDS: Readonly<Record<string, (value: string) => string>> = {
  format: (value) => `, ${value}`,
  minLength: (value) => `, at least ${value} characters`,
  maxLength: (value) => `, at most ${value} characters`,
  minItems: (value) => `, at least ${value}`,
  maxItems: (value) => `, at most ${value}`,
  minimum: (value) => `, from ${value}`,
  maximum: (value) => `, to ${value}`,
  pattern: (value) => `, matches ${value}`,
};

function bounds(schema: Schema): string {
  return Object.entries(BOUNDS)
    .map(([key, words]) => {
      const bound = schema[key];
      return typeof bound === 'string' || typeof bound === 'number' ? words(String(bound)) : '';
    })
    .join('');
}
