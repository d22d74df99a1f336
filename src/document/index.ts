/** The document format of the API: Markdown to a tree of nodes, and back. */
export { readTarget, type LinkTarget } from './link-target.ts';
export { type DocumentLeaf, type DocumentNode } from './nodes.ts';
export { mapLink, mapLinks, readStableLink, type StableLink } from './stable-links.ts';
export { documentNodes } from './read.ts';
export { markdownOfNodes } from './write.ts';
export { escapeLines, escapeText } from './write-inline.ts';
export { anchorOf, namedAnchor, openingOf, sectionsOf, type Section } from './sections.ts';
export { queryPhrases, spacedText } from './words.ts';
