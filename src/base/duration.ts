const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of `250ms`, `30s`, `5m`, `26h`, `8d`, or of a plain whole number; null when the text is no duration. */
export function parseDuration(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(text.trim());
  if (!match) return null;
  const unit = (match[2] ?? 'ms') as keyof typeof UNIT_MS;
  const ms = Math.round(Number(match[1]) * UNIT_MS[unit]);
  return Number.isSafeInteger(ms) ? ms : null;
}

/** The shortest exact way to write a duration in one unit: 93600000 is `26h`, 1500 is `1500ms`. */
export function formatDuration(ms: number): string {
  const units = Object.entries(UNIT_MS).reverse();
  const found = units.find(([, size]) => ms > 0 && ms % size === 0);
  return found ? `${ms / found[1]}${found[0]}` : `${ms}ms`;
}

/** As people read it: `850 ms`, `12.3 s`, `4 min 10 s`, `3 h 5 min`, `8 d 2 h`. */
export function span(ms: number): string {
  if (ms < UNIT_MS.s) return `${Math.round(ms)} ms`;
  if (ms < UNIT_MS.m) return `${(ms / UNIT_MS.s).toFixed(1)} s`;
  if (ms < UNIT_MS.h) return two(ms, [UNIT_MS.m, 'min'], [UNIT_MS.s, 's']);
  if (ms < UNIT_MS.d) return two(ms, [UNIT_MS.h, 'h'], [UNIT_MS.m, 'min']);
  return two(ms, [UNIT_MS.d, 'd'], [UNIT_MS.h, 'h']);
}

function two(ms: number, [big, bigName]: [number, string], [small, smallName]: [number, string]): string {
  const whole = Math.floor(ms / big);
  const rest = Math.floor((ms - whole * big) / small);
  return rest === 0 ? `${whole} ${bigName}` : `${whole} ${bigName} ${rest} ${smallName}`;
}
