import type { Role } from '../../contract/index.ts';

/** The running platform that a seed fills: its API, and the two ways in which things arrive that the API has no operation for. */
export interface SeedTarget {
  /** Base address without `/v1`. */
  readonly url: string;
  readonly token: string;
  organizations(): string[];
  createOrganization(organization: { title: string }): string | Promise<string>;
  createUser(user: NewUser): SeedUser | Promise<SeedUser>;
}

interface NewUser {
  displayName: string;
  email: string;
  organization: string;
  role: Role;
}

/** A person with a token of their own. */
export interface SeedUser {
  id: string;
  token: string;
}

/** How far a seed is; counts are of spaces. */
export interface SeedProgress {
  spaces: number;
  totalSpaces: number;
  pages: number;
}

/** What a seed has made; `pages` counts documents, groups and links. */
export interface SeedResult {
  organizations: string[];
  spaces: number;
  pages: number;
}

export interface SeedOptions {
  platform: SeedTarget;
  onProgress?: (progress: SeedProgress) => void;
  signal?: AbortSignal;
}
