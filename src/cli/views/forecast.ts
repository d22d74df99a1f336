import type { Forecast } from '../../app.ts';
import { count, span, thousands } from './units.ts';
import { walkerOf } from './walker.ts';

/** A forecast in words; `holder` says who works in the data directory now. */
export function forecastView(forecast: Forecast, holder: string | null): string {
  const { requests, toReadAll, ifNothingChanged, estimatedMs, endedBy } = forecast;
  const open = openLines(forecast, holder);
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

/** What becomes of the walk that is open. */
function openLines({ continues, givesUp }: Forecast, holder: string | null): string[] {
  const open = continues ?? givesUp?.snapshot;
  if (open === undefined) return [];
  const walker = walkerOf(holder);
  if (walker !== null) return [`Snapshot ${open} is under way (${walker}); this is of the walk after it.`];
  if (givesUp === null) return [`Snapshot ${open} was cut off and is continued first.`];
  return [`Snapshot ${open} was cut off and is given up: ${givesUp.why}.`];
}
