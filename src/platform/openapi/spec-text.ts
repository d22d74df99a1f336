// What a specification says, as Markdown: an overview, the operations of one tag, and the models.
import { groupBy, isRecord } from '../../base/index.ts';
import { escapeText } from '../../document/index.ts';
import type { SpecDocument } from './read-spec.ts';

/** Which page of a specification: `page` is a tag. */
export type SpecPart = { doc: 'info' } | { doc: 'operations'; page: string } | { doc: 'models' };

interface Operation {
  method: string;
  path: string;
  about: Record<string, unknown>;
}

/** A specification with its operations in groups: one of very many tags is read tag by tag. */
export interface Spec {
  readonly document: SpecDocument;
  readonly byTag: ReadonlyMap<string, readonly Operation[]>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
/** Operations without a tag stand together under this name. */
const UNTAGGED = 'Operations';

export function specOf(document: SpecDocument): Spec {
  return { document, byTag: groupBy(operationsOf(document), ({ about }) => tagOf(about)) };
}

export function specText({ document, byTag }: Spec, part: SpecPart): string {
  switch (part.doc) {
    case 'info':
      return infoText(document);
    case 'operations':
      return (byTag.get(part.page) ?? []).map(operationText).join('\n\n');
    case 'models':
      return Object.entries(modelsOf(document)).map(modelText).join('\n\n');
  }
}

/** Tags in the order of the specification's own list, then as operations name them. */
export function tagsOf({ document, byTag }: Spec): string[] {
  const listed = listIn(document, 'tags')
    .filter(isRecord)
    .map((tag) => textIn(tag, 'name'));
  return [...new Set([...listed.filter((tag) => byTag.has(tag)), ...byTag.keys()])];
}

export function hasModels({ document }: Spec): boolean {
  return Object.keys(modelsOf(document)).length > 0;
}

function infoText(spec: SpecDocument): string {
  const info = recordIn(spec, 'info');
  const servers = listIn(spec, 'servers')
    .filter(isRecord)
    .map((server) => `* ${escapeText(textIn(server, 'url'))}`);
  const version = textIn(info, 'version');
  return [
    version === '' ? '' : `Version ${escapeText(version)}`,
    textIn(info, 'description'),
    servers.length === 0 ? '' : `## Servers\n\n${servers.join('\n')}`,
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function operationText({ method, path, about }: Operation): string {
  const parameters = listIn(about, 'parameters')
    .filter(isRecord)
    .filter((one) => textIn(one, 'name') !== '');
  const answers = Object.entries(recordIn(about, 'responses')).map(([status, answer]) => [
    status,
    isRecord(answer) ? textIn(answer, 'description') : '',
  ]);
  return [
    `## ${escapeText(textIn(about, 'summary') || `${method.toUpperCase()} ${path}`)}`,
    `\`${method.toUpperCase()} ${path}\``,
    textIn(about, 'description'),
    table(
      ['Parameter', 'In', 'Description'],
      parameters.map((one) => ['name', 'in', 'description'].map((key) => textIn(one, key))),
    ),
    table(['Status', 'Description'], answers),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function modelText([name, schema]: [string, unknown]): string {
  return `## ${escapeText(name)}\n\n\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => escapeText(cell).replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function operationsOf(spec: SpecDocument): Operation[] {
  return Object.entries(recordIn(spec, 'paths')).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const about = isRecord(item) ? item[method] : undefined;
      return isRecord(about) ? [{ method, path, about }] : [];
    }),
  );
}

function tagOf(operation: Record<string, unknown>): string {
  const [tag] = listIn(operation, 'tags');
  return typeof tag === 'string' && tag !== '' ? tag : UNTAGGED;
}

function modelsOf(spec: SpecDocument): Record<string, unknown> {
  const components = recordIn(recordIn(spec, 'components'), 'schemas');
  return Object.keys(components).length > 0 ? components : recordIn(spec, 'definitions');
}

function recordIn(value: Record<string, unknown>, name: string): Record<string, unknown> {
  const found = value[name];
  return isRecord(found) ? found : {};
}

function listIn(value: Record<string, unknown>, name: string): unknown[] {
  const found = value[name];
  return Array.isArray(found) ? (found as unknown[]) : [];
}

function textIn(value: Record<string, unknown>, name: string): string {
  const found = value[name];
  return typeof found === 'string' ? found.trim() : '';
}
