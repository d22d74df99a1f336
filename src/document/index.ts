/** The document format of the API: Markdown to a tree of nodes, and back. */
export { plainText, type DocumentLeaf, type DocumentNode } from './nodes.ts';
export { documentNodes } from './read.ts';
export { markdownOfNodes } from './write.ts';
export { escapeText } from './write-inline.ts';
export { anchorOf, sectionsOf, type Section } from './sections.ts';
