import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig, requireTarget } from '../../src/config/index.ts';

const HERE = { DOCMIRROR_BASE_URL: 'https://docs.example' };

function hintWith(flags: Record<string, string>): string {
  try {
    requireTarget(loadConfig({ flags, environment: HERE, cwd: '/srv', readFile: () => null }));
  } catch (error) {
    if (error instanceof ConfigError) return error.hint;
    throw error;
  }
  throw new Error('expected a ConfigError');
}

describe('config/require-platform for the target of a restore', () => {
  it('names the token of the platform where the target is that platform: it asked for one of a target alone', () => {
    expect(hintWith({})).toMatch(/DOCMIRROR_TARGET_TOKEN_FILE, .*platform itself DOCMIRROR_TOKEN, /);
    const elsewhere = hintWith({ targetUrl: 'https://other.example' });
    expect(elsewhere).toBe('Set DOCMIRROR_TARGET_TOKEN or DOCMIRROR_TARGET_TOKEN_FILE.');
  });
});
