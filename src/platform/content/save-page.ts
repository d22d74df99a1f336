import { canonicalJson } from '../../base/index.ts';
import type { PlatformContext } from '../context.ts';
import { insertDocument, readDocument } from '../store/revisions.ts';
import type { PageFields, TreePage } from './tree.ts';

export interface PageDraft {
  fields: PageFields;
  /** Null leaves the page without text of its own (groups and links). */
  body: string | null;
}

/** The fields with the document that holds the text: the present one when the text is the same, else a new one. */
export function savePageText(context: PlatformContext, before: TreePage | undefined, draft: PageDraft): PageFields {
  const { documentId: _, ...fields } = draft.fields;
  if (draft.body === null) return fields;
  const kept = before?.documentId;
  if (before && readDocument(context, kept) === draft.body) {
    return kept === undefined ? fields : { ...fields, documentId: kept };
  }
  const documentId = insertDocument(context, draft.body);
  return documentId === undefined ? fields : { ...fields, documentId };
}

/** True when a page shows nothing but what the fields say. */
export function sameFields(page: TreePage, fields: PageFields): boolean {
  return canonicalJson(withoutUnset(fieldsOf(page))) === canonicalJson(withoutUnset(fields));
}

// A flag that is off and one that was never set show the same.
function withoutUnset(fields: PageFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== false && value !== undefined));
}

/** A page without its id, place and times. */
export function fieldsOf(page: TreePage): PageFields {
  const { id: _id, path: _path, createdAt: _created, updatedAt: _updated, pages: _pages, ...fields } = page;
  return fields;
}
