// Fields of pages that restores write and compare.

/** Switches; off where a page does not have them. */
export const PAGE_FLAGS = ['hidden', 'noIndex', 'noRobotsIndex'] as const;

/** What the operation that edits pages sets. */
export const PAGE_FIELDS = ['title', 'slug', 'emoji', 'icon', 'description', ...PAGE_FLAGS] as const;
