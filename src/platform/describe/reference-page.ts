// The reference for people: every operation, section by section, on one page that needs nothing else.
import { html, raw } from 'hono/html';
import { isRecord } from '../../base/index.ts';
import type { Schema } from './components.ts';
import { exampleOf } from './example.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi.ts';
import { fieldsView, typeView, type Html } from './schema-view.ts';
import { STYLE } from './style.ts';

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** The whole page; `url` is the address that examples call. */
export function referencePage(document: OpenApiDocument, url: string): Html {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ method: method.toUpperCase(), path, operation })),
  );
  const sections = document.tags.map(({ name }) => ({
    name,
    entries: entries.filter(({ operation }) => operation.tags[0] === name),
  }));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Reference · embedded platform</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <header>
          <h1>Embedded platform</h1>
          <p>
            ${entries.length} operations below <code>${url}</code>, each with <code>Authorization: Bearer …</code>. The
            same as data: <a href="/openapi.json">openapi.json</a>.
          </p>
        </header>
        <nav>
          ${sections.map(({ name }) => html`<a href="#${anchor(name)}">${name}</a> `)}<a href="#resources">Resources</a>
        </nav>
        <main>
          ${sections.map((section) => sectionView(document, url, section))}
          <section id="resources">
            <h2>Resources</h2>
            ${Object.entries(document.components.schemas).map(([name, schema]) => resourceView(name, schema))}
          </section>
        </main>
        <footer>Made from the contract. It loads nothing from anywhere else.</footer>
      </body>
    </html>`;
}

function sectionView(
  document: OpenApiDocument,
  url: string,
  { name, entries }: { name: string; entries: readonly Entry[] },
): Html {
  return html`<section id="${anchor(name)}">
    <h2>${name}</h2>
    ${entries.map((entry) => operationView(document, url, entry))}
  </section>`;
}

function operationView(document: OpenApiDocument, url: string, entry: Entry): Html {
  const { method, path, operation } = entry;
  const { requestBody, parameters = [] } = operation;
  const body = requestBody?.content['application/json'].schema;
  return html`<details id="${operation.operationId}">
    <summary>
      <b class="${method}">${method}</b> <code>${path}</code>
      <span class="soft">${operation.summary}${operation['x-extension'] ? ' · extension' : ''}</span>
    </summary>
    ${
      parameters.length > 0
        ? html`<h3>Parameters</h3>
            ${parametersView(parameters)}`
        : ''
    }
    ${
      body === undefined
        ? ''
        : html`<h3>Body${requestBody?.required ? '' : ' (may be left out)'}</h3>
            ${typeView(body)}`
    }
    <h3>Answer</h3>
    ${answersView(operation)}
    <h3>Example</h3>
    <pre><code>${curlOf(document, url, entry)}</code></pre>
  </details>`;
}

function parametersView(parameters: NonNullable<OpenApiOperation['parameters']>): Html {
  return html`<table>
    ${parameters.map(
      ({ name, in: place, required, schema }) =>
        html`<tr>
          <th><code>${name}</code>${required ? html`<span class="needed" title="required">*</span>` : ''}</th>
          <td><span class="soft">${place}</span> ${typeView(schema)}${defaultView(schema)}</td>
        </tr>`,
    )}
  </table>`;
}

/** What stands for a parameter that is left out. */
function defaultView(schema: unknown): Html | string {
  const value = isRecord(schema) ? schema['default'] : undefined;
  const isShown = typeof value === 'string' || typeof value === 'boolean';
  return isShown ? html` <span class="soft">default</span> <code>${String(value)}</code>` : '';
}

function answersView({ responses }: OpenApiOperation): Html {
  const statuses = Object.entries(responses);
  const refused = statuses.filter(([status]) => Number(status) >= 400).map(([status]) => status);
  return html`<table>
    ${statuses
      .filter(([status]) => Number(status) < 400)
      .map(([status, response]) => {
        const schema = schemaOf(response);
        return html`<tr>
          <th>${status}</th>
          <td>${schema === undefined ? 'no body' : typeView(schema)}</td>
        </tr>`;
      })}
    <tr>
      <th>${refused.join(', ')}</th>
      <td><a href="#Error">Error</a></td>
    </tr>
  </table>`;
}

function schemaOf(response: unknown): unknown {
  const content = isRecord(response) ? response['content'] : undefined;
  const json = isRecord(content) ? content['application/json'] : undefined;
  return isRecord(json) ? json['schema'] : undefined;
}

function resourceView(name: string, schema: Schema): Html {
  // A link opens what it leads into, not what it leads to.
  return html`<details>
    <summary><b>${name}</b></summary>
    <div id="${name}">${fieldsView(schema)}</div>
  </details>`;
}

function curlOf(document: OpenApiDocument, url: string, { method, path, operation }: Entry): string {
  const { schemas } = document.components;
  const needed = (operation.parameters ?? []).filter((one) => one.in === 'query' && one.required);
  const query = needed.map(({ name, schema }) => `${name}=${String(exampleOf(schema, schemas))}`).join('&');
  const address = `${url}${path.replaceAll(/\{(\w+)\}/g, '$$$1')}${query === '' ? '' : `?${query}`}`;
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}-H "Authorization: Bearer $TOKEN" "${address}"`];
  if (operation.requestBody) {
    const body = exampleOf(operation.requestBody.content['application/json'].schema, schemas);
    lines.push(`  -H "Content-Type: application/json" -d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`);
  }
  return lines.join(' \\\n');
}

function anchor(name: string): string {
  return `section-${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
}
