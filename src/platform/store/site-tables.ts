// The rows of docs sites.
import type { Site } from '../../contract/index.ts';

export interface SiteRow {
  id: string;
  organization: string;
  type: Site['type'];
  title: string;
  visibility: Site['visibility'];
  published: number;
  basename: string | null;
  /** Host and path of the proxy, as given. */
  proxy: string | null;
  /** null until somebody chose. */
  adaptive_enabled: number | null;
  /** JSON of the schema; null until one is put. */
  adaptive_schema: string | null;
  adaptive_updated_at: string | null;
  created_at: string;
  /** Which section people chose as default; the first one stands in where it is not there. */
  default_section: string | null;
  /** Which site space at the root people chose as default; the first one stands in where it is not there. */
  default_site_space: string | null;
}

export interface SectionGroupRow {
  id: string;
  site: string;
  title: string;
  icon: string | null;
  /** Sorts among the groups and the sections outside of groups. */
  position: string;
}

export interface SectionRow {
  id: string;
  site: string;
  section_group: string | null;
  title: string;
  description: string | null;
  path: string;
  condition: string | null;
  icon: string | null;
  /** Sorts within the group, or among the groups and the sections outside of groups. */
  position: string;
  /** As default_site_space of a site, within the section. */
  default_site_space: string | null;
}

export interface SiteSpaceRow {
  id: string;
  site: string;
  /** null is the root of a site without sections. */
  section: string | null;
  space: string;
  path: string;
  condition: string | null;
  position: string;
}

export interface ShareLinkRow {
  id: string;
  site: string;
  name: string;
  active: number;
  /** The secret in the address. */
  key: string;
  created_at: string;
}
