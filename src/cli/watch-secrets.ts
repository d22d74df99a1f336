// Secrets are exchanged below a daemon that runs: by a cluster, which writes anew the files that it mounts, or by a person.
import { statSync } from 'node:fs';
import type { Clock } from '../base/index.ts';
import type { Config } from '../config/index.ts';

interface Watching {
  readonly clock: Clock;
  /** What is worked by now. */
  readonly configs: () => readonly Config[];
  /** Told once for each change; what a file that is away holds is not known, so its going is none. */
  readonly changed: (files: readonly string[]) => void;
}

const LOOK_MS = 60_000;

/** Looks once a minute whether a file that holds a secret, and no settings, was written anew. Until disposed. */
export function watchSecrets({ clock, configs, changed }: Watching): Disposable {
  const seen = new Map<string, string>();
  const look = (): string[] =>
    filesOf(configs()).filter((file) => {
      const [before, now] = [seen.get(file), stampOf(file)];
      if (now !== null) seen.set(file, now);
      return before !== undefined && now !== null && now !== before;
    });
  look();
  return clock.every(LOOK_MS, () => {
    const files = look();
    if (files.length > 0) changed(files);
  });
}

function filesOf(configs: readonly Config[]): string[] {
  const files = configs.flatMap(({ secretFiles }) => secretFiles.filter(({ hasSettings }) => !hasSettings));
  return [...new Set(files.map(({ path }) => path))];
}

/** Another one after each write; null while it cannot be looked at. A mounted secret is a link that leads elsewhere then. */
function stampOf(file: string): string | null {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch {
    // Whoever reads it next says why it cannot be read.
    return null;
  }
}

interface Apart {
  /** Of all platforms, or of the one of the list that is named. Throws for what is wrong. */
  readonly read: (platform?: string) => Config[];
  /** Told of each that stays as it stands. */
  readonly refused: (platform: string, error: unknown) => void;
}

/**
 * The settings anew: of all, or where those of one of the list are refused, as for a file that is away, of each that can be read.
 * Throws where none can.
 */
export function readApart(standing: readonly Config[], { read, refused }: Apart): Config[] {
  try {
    return read();
  } catch (error) {
    const each = standing.map((config) => ({ config, ...readNamed(config.name, read) }));
    if (each.every(({ anew }) => anew === undefined)) throw error;
    return each.map(({ config, anew, why }) => {
      if (anew === undefined) refused(String(config.name), why);
      return anew ?? config;
    });
  }
}

function readNamed(platform: string | null, read: Apart['read']): { readonly anew?: Config; readonly why?: unknown } {
  if (platform === null) return {};
  try {
    const [anew] = read(platform);
    return anew === undefined ? {} : { anew };
  } catch (why) {
    return { why };
  }
}
