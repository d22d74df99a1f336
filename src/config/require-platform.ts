import { ConfigError } from './errors.ts';
import { placesOf } from './setting-places.ts';
import type { Config, PlatformConfig } from './types.ts';

/** True when an address or a token of a platform is configured, be it only one of the two. */
export function isPlatformNamed(config: Config): boolean {
  return config.platform.baseUrl !== null || config.platform.token !== null;
}

/** The platform to mirror. Throws DM_CONFIG_MISSING (exit code 2) that names what is not there. */
export function requirePlatform(config: Config): PlatformConfig {
  const { baseUrl, token } = config.platform;
  if (baseUrl !== null && token !== null) return { baseUrl, token };
  throw missing('The platform to mirror', [
    ...(baseUrl === null ? [{ what: 'base address', hint: placesOf('baseUrl', config) }] : []),
    ...(token === null ? [{ what: 'token', hint: placesOf('token', config) }] : []),
  ]);
}

/**
 * Where a restore writes: the target's own settings, what they leave out from the platform. The platform's token is never used at
 * another origin. Throws DM_CONFIG_MISSING (exit code 2).
 */
export function requireTarget(config: Config): PlatformConfig {
  const { target, platform } = config;
  const baseUrl = target.baseUrl ?? platform.baseUrl;
  const isSameOrigin =
    baseUrl !== null && platform.baseUrl !== null && new URL(baseUrl).origin === new URL(platform.baseUrl).origin;
  const token = target.token ?? (isSameOrigin ? platform.token : null);
  if (baseUrl !== null && token !== null) return { baseUrl, token };
  throw missing('The target of the restore', [
    ...(baseUrl === null
      ? [{ what: 'base address', hint: `--target-url, or for the platform itself ${placesOf('baseUrl', config)}` }]
      : []),
    ...(token === null ? [{ what: 'token', hint: targetTokenPlaces(config) }] : []),
  ]);
}

/** The target is the platform itself unless it has an address of its own, and so is its token. */
function targetTokenPlaces(config: Config): string {
  const own = 'DOCMIRROR_TARGET_TOKEN or DOCMIRROR_TARGET_TOKEN_FILE';
  return config.target.baseUrl === null ? `${own}, or for the platform itself ${placesOf('token', config)}` : own;
}

function missing(which: string, lacks: readonly { what: string; hint: string }[]): ConfigError {
  const message = `${which} has no ${lacks.map(({ what }) => what).join(' and no ')}; expected both an address and a token`;
  return new ConfigError('DM_CONFIG_MISSING', message, {
    hint: `Set ${lacks.map(({ hint }) => hint).join(', and ')}.`,
  });
}
