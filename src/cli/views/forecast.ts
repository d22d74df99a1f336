import type { Forecast } from '../../app.ts';
import { count, span, thousands } from './units.ts';

export function forecastView({ requests, ifNothingChanged, estimatedMs, continues, givesUp }: Forecast): string {
  const continued = continues === null ? [] : [`Snapshot ${continues} was cut off and is continued first.`];
  const givenUp = givesUp === null ? [] : [`Snapshot ${givesUp.snapshot} was cut off and is given up: ${givesUp.why}.`];
  const open = [...continued, ...givenUp];
  if (requests === null)
    return ['There is no walk yet to forecast from; the first one tells its size on the way.', ...open].join('\n');
  const time = estimatedMs === null ? '' : `, ${span(estimatedMs)}`;
  const quiet = ifNothingChanged === null ? '' : ` (${thousands(ifNothingChanged)} of them if nothing has changed)`;
  return [`The next walk: about ${count(requests, 'request')}${time}${quiet}`, ...open].join('\n');
}
