// Comments on pages, with replies and reactions, some of them resolved.
import type { Page } from '../../../contract/index.ts';
import type { MadeSpace } from './containers.ts';
import type { DemoWork } from './change-requests.ts';

const SPACES_WITH_COMMENTS = 12;
const COMMENTS_PER_SPACE = 4;

const QUESTIONS: readonly string[] = [
  'Does this example still work on the oldest runtime we support?',
  'The second paragraph says the opposite of the table. Which one is right?',
  'Could we have the default value here as well?',
  'This page is the one that support links to most. Thank you!',
  'The link to the changelog was **missing**; added.',
  'Please say what happens when the option is left out:\n\n* is it an error?\n* or a default?',
  'I measured this on two cores and got half of what is written.',
  'Is `close()` needed here, or does leaving the block do it?',
  'The screenshot shows an older version.',
  'Small thing: the heading repeats the title.',
  'Should this be a page of its own?',
];

const ANSWERS: readonly string[] = [
  'Yes, checked today.',
  'The table is right; I will change the text.',
  'Good idea, done in the next change request.',
  'No, it is kept for one more release.',
  'Which version did you use?',
];

const REACTIONS: readonly string[] = ['👍', '🎉', '❤️', '👀', '🚀'];

/** Writes the comments, each by another member, always the same ones. */
export async function addComments(work: DemoWork): Promise<void> {
  let number = 0;
  for (const space of work.spaces.slice(0, SPACES_WITH_COMMENTS)) {
    for (let index = 0; index < COMMENTS_PER_SPACE; index++, number++) {
      // The last one of each space is about the space as a whole.
      const page = index === COMMENTS_PER_SPACE - 1 ? undefined : pick(space.documents, index * 3);
      await addComment(work, { space, page, number });
    }
  }
}

interface PlannedComment {
  space: MadeSpace;
  page: Page | undefined;
  number: number;
}

async function addComment(work: DemoWork, { space, page, number }: PlannedComment): Promise<void> {
  const { caller } = work.seeding;
  const tokens = authors(work);
  const comment = await caller.call('createComment', {
    path: { spaceId: space.id },
    body: { ...(page ? { page: page.id } : {}), body: { markdown: pick(QUESTIONS, number) ?? '' } },
    token: pick(tokens, number) ?? '',
  });
  const path = { spaceId: space.id, commentId: comment.id };
  for (let reply = 0; reply < number % 3; reply++) {
    await caller.call('createCommentReply', {
      path,
      body: { body: { markdown: pick(ANSWERS, number + reply) ?? '' } },
      token: pick(tokens, number + reply + 1) ?? '',
    });
  }
  for (let reaction = 0; reaction < number % 4; reaction++) {
    await caller.call('updateComment', {
      path,
      body: { addedReactions: [pick(REACTIONS, number + (reaction % 2)) ?? ''] },
      token: pick(tokens, number + reaction + 2) ?? '',
    });
  }
  const { token } = work.team.reviewer;
  if (number % 4 === 1) await caller.call('updateComment', { path, body: { resolved: true }, token });
}

function authors({ team }: DemoWork): string[] {
  return [team.commenter, team.editor, team.reviewer, team.writer, team.creator].map(({ token }) => token);
}

function pick<T>(values: readonly T[], index: number): T | undefined {
  return values[index % values.length];
}
