// Texts of a change request of which an import has not turned all links.
import { textMeant, titleSent } from '../../inserting/page-insertion.ts';
import { NoWayIn } from '../../inserting/target-import.ts';
import { writeTexts } from '../../inserting/write-texts.ts';
import { linkingProposals } from '../../links/proposed-links.ts';
import { keyAbove } from '../../resource.ts';
import type { ApplyContext } from '../../types.ts';
import type { RequestPath } from '../../target/content-there.ts';
import type { ContentChange } from '../../target/own-request.ts';

interface Proposed {
  readonly path: RequestPath;
  /** New ids of what an import brought, by key. */
  readonly made: Readonly<Record<string, string>>;
}

/** Says what the target refused. */
export async function writeProposedLinks(
  context: ApplyContext,
  request: string,
  { path, made }: Proposed,
): Promise<string[]> {
  const { addresses, ids, reader } = context;
  const inSpace = (id: string): string | undefined => ids.get('page', `${keyAbove(request)}/${id}`);
  const isAnew = (id: string): boolean => {
    const now = made[`${request}/${id}`];
    return now !== undefined && now !== inSpace(id);
  };
  const changes: ContentChange[] = [];
  for (const page of linkingProposals(reader, { addresses, request }, isAnew)) {
    const now = made[page.key];
    if (now === undefined) continue;
    const document = { markdown: textMeant(context, page) };
    changes.push({ type: 'update_page', page: now, title: titleSent(page.body), document });
  }
  if (changes.length === 0) return [];
  try {
    return await writeTexts(context, path, { anew: changes });
  } catch (error) {
    if (!(error instanceof NoWayIn)) throw error;
    return [NO_LINKS];
  }
}

const NO_LINKS =
  'the target has no operation that edits pages: links to groups and links that it proposes lead to the originals';
