// Editing a platform by its API, as people do: by change requests that are merged.
import { callApi, type Platform } from './harness.ts';

/** Ids of a space, and of the documents in it. */
export interface EditedSpace {
  readonly space: string;
  readonly pages: readonly string[];
}

interface Page {
  readonly id: string;
  readonly type: string;
  readonly pages?: readonly Page[];
}

/** The first space that some member sees, by the first organization. */
export async function firstSpace(platform: Platform): Promise<EditedSpace> {
  const [organization] = platform.organizations;
  const members = await callApi<{ items: { id: string }[] }>(platform, `GET /v1/orgs/${organization}/members`);
  const seen = await callApi<{ items: { space: { id: string } }[] }>(
    platform,
    `GET /v1/orgs/${organization}/members/${members.items[0]?.id}/spaces`,
  );
  const space = seen.items[0]?.space.id ?? '';
  const tree = await callApi<{ pages: Page[] }>(platform, `GET /v1/spaces/${space}/content`);
  return { space, pages: [...documentsIn(tree.pages)] };
}

function* documentsIn(pages: readonly Page[]): Generator<string> {
  for (const page of pages) {
    if (page.type === 'document') yield page.id;
    yield* documentsIn(page.pages ?? []);
  }
}

interface Edit {
  readonly space: string;
  readonly page: string;
  readonly markdown: string;
}

/** Gives a page another text. */
export async function mergeEdit(platform: Platform, { space, page, markdown }: Edit): Promise<void> {
  const path = `/v1/spaces/${space}/change-requests` as const;
  const { id } = await callApi<{ id: string }>(platform, `POST ${path}`, { subject: 'Edit' });
  const changes = [{ type: 'update_page', page, document: { markdown } }];
  await callApi(platform, `POST ${path}/${id}/content`, { changes });
  await callApi(platform, `POST ${path}/${id}/merge`);
}
