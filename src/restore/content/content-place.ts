// Where a restore puts content for the platform to fetch: a server of its own, or a folder that somebody else's server shows.
import { isEveryAddress, isLoopback } from '../../base/index.ts';
import { openContentFolder, type ContentFolderOptions } from './content-folder.ts';
import { ContentServer } from './content-server.ts';

/** A file that the platform may fetch, until this is disposed of. */
export interface ContentOffer extends AsyncDisposable {
  readonly url: string;
  /** It is being fetched, or has been; true as well where something else hands it out, since nobody tells then. */
  isTaken(): boolean;
}

/** The path of a file, or its bytes. */
export type Content = string | Uint8Array;

export interface ContentPlace extends AsyncDisposable {
  /** Hands out bytes, or a file by its path, at an address that nobody can guess. */
  offer(content: Content): Promise<ContentOffer>;
}

export interface ContentPlaceOptions {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** The address under which the platform reaches the server; null when host and port are that. */
  readonly publicUrl: string | null;
  /** Folder that something else shows to the platform, so that no server is needed; null for the own server. */
  readonly directory?: string | null;
  /** The address of a file in that folder, with `{name}` for its name. */
  readonly addressTemplate?: string | null;
}

/** Throws DM_PORT_IN_USE, or DM_CONFIG_INVALID when the folder cannot be written. */
export function openContentPlace(
  options: ContentPlaceOptions,
  parts: Pick<ContentFolderOptions, 'clock' | 'random' | 'restore' | 'ended'>,
): Promise<ContentPlace> {
  const { directory = null, addressTemplate = null } = options;
  return directory === null || addressTemplate === null
    ? ContentServer.start({ ...options, ...parts })
    : openContentFolder({ directory, addressTemplate, ...parts });
}

/** The host that the platform will ask. */
export function hostAsked({ host, publicUrl, addressTemplate, directory }: ContentPlaceOptions): string {
  const shown = directory === undefined || directory === null ? publicUrl : (addressTemplate ?? null);
  return shown === null ? host : new URL(shown.replaceAll('{name}', 'name')).hostname;
}

/** True for a host that is this machine, by the address that stands for all of its own as well. */
export function isOwnHost(host: string): boolean {
  return isLoopback(host) || isEveryAddress(host);
}
