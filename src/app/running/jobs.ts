// What the daemon does at its times.
import { AppError, count, isoTime, isRecord, type Json } from '../../base/index.ts';
import { inDataDirectory, withFlags } from '../../config/index.ts';
import type { Job } from '../../daemon/index.ts';
import { lastPassedDrill, listDrills, shownIn } from '../../mirror/index.ts';
import { check, type CheckReport } from '../check.ts';
import { drill } from '../drill.ts';
import { reportFile } from '../places.ts';
import { reportNow, writeReport } from '../report.ts';
import { forgetSnapshots } from '../retention.ts';
import { lastOf, lastWhenWritten, timeOf } from './last-of.ts';
import { syncJob, type SyncJobParts } from './sync-job.ts';

export interface JobParts extends SyncJobParts {
  /** Throws where the data directory is no more the one that the daemon was begun in. The walk asks for itself. */
  readonly demandPlace: () => void;
}

/** In the order in which they run when several are due at once. */
export function jobsOf(parts: JobParts): Job[] {
  const jobs = [syncJob(parts), drillJob(parts), checkJob(parts), forgetJob(parts), reportJob(parts)];
  const { config } = parts.kit;
  return jobs.map((job) => ({
    ...job,
    run: async (signal) => {
      try {
        await inDataDirectory(config, () => job.run(signal));
      } catch (error) {
        throw withFlags(error, config);
      }
    },
  }));
}

function drillJob(parts: JobParts): Job {
  const { kit } = parts;
  return noted(parts, {
    name: 'drill',
    pattern: kit.config.schedule.drill,
    isHeavy: true,
    lastDone: () => lastOf(kit, (mirror) => timeOf(listDrills(mirror, 1)[0]?.at)),
    lastWell: lastWhenWritten(kit, (mirror) => timeOf(lastPassedDrill(mirror)?.at)),
    run: async (signal) => {
      const { snapshot, passed, fidelity, requests } = await drill(kit, { signal });
      if (passed) return kit.log.info({ snapshot, fields: fidelity.exact.fields, requests }, 'drill passed');
      throw new AppError('DM_DRILL_FAILED', `The drill of snapshot ${snapshot} did not pass`, {
        hint: 'Run docmirror drill to see what differs.',
        details: { snapshot, fidelity },
      });
    },
  });
}

/**
 * One check reads a part of what is stored, the next one the next part, so that all is read in turn; after one that found damage the
 * next reads everything: that another part is whole does not say that the damage is gone.
 */
function checkJob(parts: JobParts): Job {
  const { kit, memory } = parts;
  const { schedule, check: settings } = kit.config;
  const work = async (signal: AbortSignal): Promise<void> => {
    const portions = Math.ceil(1 / settings.readShare);
    const part = Number(memory.get('check part') ?? 0) % portions;
    const isAll = memory.get('check failed') === true;
    const portion = { from: part / portions, to: (part + 1) / portions };
    const { passed, problems, bytesRead } = await check(kit, { readData: isAll || portion, signal });
    await memory.set('check failed', !passed);
    if (!isAll) await memory.set('check part', (part + 1) % portions);
    const read = { part: isAll ? 'all' : part + 1, parts: portions };
    kit.log.info({ ...read, bytesRead, problems: problems.length }, 'mirror checked');
    if (passed) return;
    const [first] = problems;
    const message = `The check found ${count(problems.length, 'problem')}; the first: ${first === undefined ? '' : problemWords(first)}`;
    throw new AppError('DM_CHECK_FAILED', message, { hint: 'Run docmirror check --read-data to see them all.' });
  };
  return { ...remembered(parts, { name: 'check', pattern: schedule.check, work }), isHeavy: true };
}

function problemWords(one: CheckReport['problems'][number]): string {
  const snapshots = 'first' in one ? shownIn(one) : null;
  const where = snapshots === null ? '' : `, shown by snapshot ${snapshots}`;
  return `${one.what} ${one.which}: ${one.problem}${where}`;
}

function forgetJob(parts: JobParts): Job {
  const { kit } = parts;
  const { policy, prune } = kit.config.retention;
  const pattern = policy === null ? null : kit.config.schedule.forget;
  const work = async (signal: AbortSignal): Promise<void> => {
    if (policy === null) return;
    try {
      const { verdicts, pruned } = await forgetSnapshots(kit, { policy, prune, dryRun: false, signal });
      const dropped = verdicts.filter(({ keep }) => !keep).map(({ id }) => id);
      kit.log.info({ dropped, kept: verdicts.length - dropped.length, pruned }, 'snapshots forgotten');
    } catch (error) {
      // The suspect snapshot itself is what somebody is told of.
      if (!(error instanceof AppError) || error.code !== 'DM_BRAKE') throw error;
      kit.log.warn('nothing is forgotten while the newest snapshot is suspect');
    }
  };
  return { ...remembered(parts, { name: 'forget', pattern, work }), isHeavy: true };
}

function reportJob(parts: JobParts): Job {
  const { kit } = parts;
  const work = async (signal: AbortSignal): Promise<void> => {
    const file = await writeReport(kit, await reportNow(kit, signal), {
      file: reportFile(kit.config),
      by: 'report.path',
    });
    kit.log.info({ file }, 'report written');
  };
  return remembered(parts, { name: 'report', pattern: kit.config.schedule.report, work });
}

interface Work {
  readonly name: string;
  readonly pattern: string | null;
  readonly work: (signal: AbortSignal) => Promise<void>;
}

/** A job that begins anew after it was cut off. That it is under way is remembered: a daemon that is killed says nothing any more. */
function noted({ memory, demandPlace }: JobParts, job: Job): Job {
  return {
    ...job,
    wasCutOff: () => memory.get(UNDER_WAY) === job.name,
    run: async (signal) => {
      demandPlace();
      await memory.set(UNDER_WAY, job.name);
      try {
        await job.run(signal);
      } finally {
        if (!signal.aborted) await memory.set(UNDER_WAY, null);
      }
    },
  };
}

const UNDER_WAY = 'under way';

/** A job that leaves no trace in the mirror: when it was done is remembered apart. */
function remembered(parts: JobParts, { name, pattern, work }: Work): Job {
  const { kit, memory } = parts;
  const done = (): Readonly<Record<string, Json>> => {
    const found = memory.get('done');
    return isRecord(found) ? (found as Record<string, Json>) : {};
  };
  return noted(parts, {
    name,
    pattern,
    lastDone: () => {
      const at = done()[name];
      return typeof at === 'string' ? Date.parse(at) : null;
    },
    run: async (signal) => {
      await work(signal);
      await memory.set('done', { ...done(), [name]: isoTime(kit.clock.now()) });
    },
  });
}
