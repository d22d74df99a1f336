import type { Forecast } from '../../app.ts';
import { count, span, thousands } from './units.ts';

export function forecastView(forecast: Forecast): string {
  const { requests, toReadAll, ifNothingChanged, estimatedMs, endedBy, continues, givesUp } = forecast;
  const continued = continues === null ? [] : [`Snapshot ${continues} was cut off and is continued first.`];
  const givenUp = givesUp === null ? [] : [`Snapshot ${givesUp.snapshot} was cut off and is given up: ${givesUp.why}.`];
  const open = [...continued, ...givenUp];
  if (requests === null || toReadAll === null || ifNothingChanged === null)
    return ['There is no walk yet to forecast from; the first one tells its size on the way.', ...open].join('\n');
  const time = estimatedMs === null ? '' : `, ${span(estimatedMs)}`;
  const next = `The next walk: about ${count(requests, 'request')}${time}`;
  const quiet = `(${thousands(ifNothingChanged)} of them if nothing has changed)`;
  if (endedBy === null) return [`${next} ${quiet}`, ...open].join('\n');
  const whole = `To read all it would take about ${count(toReadAll, 'request')} ${quiet}.`;
  const lacking =
    ifNothingChanged > requests
      ? ['Until that is raised it does not get whole: it takes more even if nothing has changed.']
      : [];
  return [`${next}: ${endedBy} ends it there, partial.`, whole, ...lacking, ...open].join('\n');
}
