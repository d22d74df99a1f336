// What a walk visits, how thoroughly, and where it stops.
import { duration, durationAboveZero } from './setting-time.ts';
import { flag, ids, integer, nullable, pairs, share, someIds, type Setting } from './setting.ts';

export const WALK_SETTINGS = {
  'scope.organizations': nullable(
    someIds(
      {
        description: 'Ids of the organizations to mirror; every one that the token sees when null.',
        default: null,
      },
      'a list of one or more organization ids',
    ),
    'every organization',
  ),
  'scope.spaces': ids(
    {
      description: 'Ids of spaces to mirror besides those that are found.',
      default: [],
    },
    'a list of space ids',
  ),
  'scope.invites': pairs(
    {
      description: 'Invites to mirror, as `ORGANIZATION/INVITE`: no operation lists them.',
      default: [],
    },
    'a list of ORGANIZATION/INVITE',
  ),
  'walk.rereadNights': integer(
    {
      description: 'Everything is read again at least once in so many nights, changed or not.',
      default: 7,
    },
    { minimum: 1, maximum: 365 },
  ),
  'walk.pageSize': integer(
    {
      description: 'Items asked for at once in a listing.',
      default: 1000,
    },
    { minimum: 1, maximum: 1000 },
  ),
  'walk.documents': flag({
    description:
      'Keep texts of pages as document trees beside Markdown; one request more for each page that changed, and for each change request under way that shows its older text.',
    default: true,
  }),
  'walk.maxRequests': nullable(
    integer(
      {
        description:
          'Requests after which a walk visits nothing new and is sealed as partial; `sync --plan` says whether they are enough.',
        default: null,
      },
      { minimum: 1, maximum: 1_000_000_000 },
    ),
    'no end',
  ),
  'walk.maxDuration': nullable(
    durationAboveZero({
      description: 'Time after which a walk visits nothing new and is sealed as partial.',
      default: null,
    }),
    'no end',
  ),
  'walk.resumeWithin': duration({
    description: 'An interrupted walk is continued for so long; after that a new one begins.',
    default: '7d',
  }),
  'walk.brake.deletedShare': share({
    description: 'Brake: the share of a kind that may be gone; it closes when the count is passed too.',
    default: 0.3,
  }),
  'walk.brake.deletedCount': integer(
    {
      description: 'Brake: the number of a kind that may be gone; it closes when the share is passed too.',
      default: 20,
    },
    { minimum: 0, maximum: 1_000_000 },
  ),
  'walk.brake.rewrittenShare': share({
    description: 'Brake: the share of pages that may be rewritten; it closes when the count is passed too.',
    default: 0.7,
  }),
  'walk.brake.rewrittenCount': integer(
    {
      description: 'Brake: the number of pages that may be rewritten; it closes when the share is passed too.',
      default: 50,
    },
    { minimum: 0, maximum: 1_000_000 },
  ),
} satisfies Record<string, Setting<unknown>>;
