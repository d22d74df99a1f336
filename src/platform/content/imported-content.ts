import type { PageHead } from '../../contract/index.ts';
import type { FileContent } from './file-content.ts';

/** What an import found: pages and what they show, read from a source, before they meet the space they go into. */

/**
 * One page of an imported source. Links in `body` to other imported pages are written `import:page/<path>`, to files
 * `import:file/<key>`, to reusable contents `import:reusable/<key>`.
 */
export interface ImportedPage extends PageHead {
  type: 'document' | 'group' | 'link';
  title: string;
  slug: string;
  /** The slugs from the root joined by `/`. */
  path: string;
  layout?: Record<string, unknown>;
  cover?: Record<string, unknown>;
  /** Where a page of type `link` leads. */
  href?: string;
  /** Markdown without the title's heading; only on documents. */
  body?: string;
  pages: ImportedPage[];
}

/** One file of an imported source; `key` is what `import:file/<key>` names. */
export interface ImportedFile extends FileContent {
  key: string;
}

/** A text of an imported source that pages include; `key` is what `import:reusable/<key>` names. */
export interface ImportedReusableContent {
  key: string;
  title: string;
  /** Markdown, with links as in a page. */
  body: string;
}

/** Something of the source that could not be taken over, and why. */
export interface ImportProblem {
  resource: string;
  reason: string;
}

/** A whole import: the tree of pages in the order of its table of contents, what the pages show, and the counts the answer reports. */
export interface ImportedContent {
  pages: ImportedPage[];
  files: ImportedFile[];
  reusableContents: ImportedReusableContent[];
  imported: number;
  total: number;
  problems: ImportProblem[];
}

/** An import whose files can be read until it is disposed. */
export type OpenImport = ImportedContent & Disposable;
