import type { Forecast } from '../../app.ts';
import { count, span, thousands } from './units.ts';

export function forecastView({ requests, ifNothingChanged, estimatedMs, continues }: Forecast): string {
  if (requests === null) return 'There is no walk yet to forecast from; the first one tells its size on the way.';
  const time = estimatedMs === null ? '' : `, ${span(estimatedMs)}`;
  const quiet = ifNothingChanged === null ? '' : ` (${thousands(ifNothingChanged)} of them if nothing has changed)`;
  const open = continues === null ? [] : [`Snapshot ${continues} was cut off and is continued first.`];
  return [`The next walk: about ${count(requests, 'request')}${time}${quiet}`, ...open].join('\n');
}
