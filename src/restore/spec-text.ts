// The text of an OpenAPI specification, as the mirror holds it.
import { isRecord } from '../base/index.ts';
import type { Resource, SnapshotReader } from '../mirror/index.ts';
import { textAt } from './resource.ts';

/** The newest text that was read of a specification; null when the snapshot has none. */
export function currentText(reader: SnapshotReader, spec: Resource): string | null {
  const version = textAt(spec.body, 'lastVersion');
  if (version === undefined) return null;
  const body = reader.one('openapi-spec-content', `${spec.key}/${version}`)?.body;
  const files = body && isRecord(body['filesystem']) ? Object.values(body['filesystem']).filter(isRecord) : [];
  const entry = files.find((file) => file['isEntrypoint'] === true) ?? files[0];
  const specification = entry?.['specification'];
  if (typeof specification === 'string') return specification;
  return isRecord(specification) ? JSON.stringify(specification, null, 2) : null;
}
