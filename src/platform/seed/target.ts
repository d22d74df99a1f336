import type { Role } from '../../contract/index.ts';
import type { PlatformRights } from '../people-rights.ts';

/** The running platform that a seed fills: its API, and ways to what the API has no operation for. */
export interface SeedTarget extends PlatformRights {
  /** Base address without `/v1`. */
  readonly url: string;
  readonly token: string;
  organizations(): string[];
  createOrganization(organization: { title: string }): string | Promise<string>;
  createUser(user: NewUser): SeedUser | Promise<SeedUser>;
  createInvite(invite: { organization: string; role: Role | null }): string;
  publishSite(id: string, published: boolean): void;
  addComputedPage(page: { space: string; spec: string; title: string }): string;
  settle(): Promise<void>;
}

interface NewUser {
  displayName: string;
  email: string;
  organization: string;
  role: Role | null;
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
