import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manualClock, shiftedClock, silentLogger, type Clock } from '../../src/base/index.ts';
import { createNotices, openMemory, type Condition, type Message } from '../../src/daemon/index.ts';

const DAY = 86_400_000;
const partial: Condition = { cause: 'partial', event: 'partial', what: 'It is partial', means: 'm', run: 'r' };

describe('daemon/notices', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'docmirror-notices-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function setUp<C extends Clock>(clock: C) {
    const sent: string[] = [];
    let works = true;
    const deliver = (message: Message): Promise<boolean> => {
      if (works) sent.push(`${message.event}${message.reminder ? ' again' : ''}`);
      return Promise.resolve(works);
    };
    const open = () => {
      const memory = openMemory(join(folder, 'daemon.json'), silentLogger());
      return createNotices({ memory, clock, deliver, remindAfterMs: () => 3 * DAY });
    };
    return { clock, sent, open, break: (broken: boolean) => void (works = !broken) };
  }

  const always = (): boolean => true;

  it('tells a cause once, again after the interval, and when it is over', async () => {
    const { clock, sent, open } = setUp(manualClock(0));
    const notices = open();
    for (let night = 0; night < 5; night++) {
      await notices.update([partial], always);
      await clock.advance(DAY);
    }
    await notices.update([], always);
    await notices.update([], always);
    expect(sent).toEqual(['partial', 'partial again', 'recovered']);
  });

  it('tells a cause again when there is more to it: all else that could not be read was told after three days', async () => {
    const { clock, sent, open } = setUp(manualClock(0));
    const notices = open();
    const lacking = (...parts: string[]): Condition => ({ ...partial, parts });
    const night = async (condition: Condition): Promise<string[]> => {
      await notices.update([condition], always);
      await clock.advance(DAY / 10);
      return sent.splice(0);
    };
    expect(await night(lacking('a page'))).toEqual(['partial']);
    expect(await night(lacking('a page'))).toEqual([]);
    expect(await night(lacking('a page', 'all spaces'))).toEqual(['partial']);
    expect(await night(lacking('all spaces'))).toEqual([]);
    expect(await night(lacking('a page')), 'in turn').toEqual([]);
    await open().update([lacking('all spaces')], always);
    expect(sent, 'after a restart').toEqual([]);
    await clock.advance(3 * DAY);
    expect(await night(lacking('a page'))).toEqual(['partial again']);
  });

  it('goes by no parts where what was told earlier had none, as by another version', async () => {
    const { sent, open } = setUp(manualClock(0));
    await open().update([partial], always);
    const file = join(folder, 'daemon.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/,\s*"parts": \[\]/, ''));
    await open().update([{ ...partial, parts: ['a page'] }], always);
    expect(sent).toEqual(['partial']);
  });

  it('goes on reminding although the clock was years ahead when it told first', async () => {
    const base = manualClock(0);
    const { clock, sent, open } = setUp(shiftedClock(base));
    const notices = open();
    clock.advance(20_000 * DAY);
    await notices.update([partial], always);
    clock.advance(-20_000 * DAY);
    for (let night = 0; night < 4; night++) {
      await notices.update([partial], always);
      await base.advance(DAY);
    }
    expect(sent).toEqual(['partial', 'partial again', 'partial again']);
  });

  it('remembers over a restart what was told', async () => {
    const { sent, open } = setUp(manualClock(0));
    await open().update([partial], always);
    await open().update([partial], always);
    await open().update([], always);
    expect(sent).toEqual(['partial', 'recovered']);
  });

  it('tells again what nobody could be told, the end too', async () => {
    const world = setUp(manualClock(0));
    const notices = world.open();
    world.break(true);
    await notices.update([partial], always);
    world.break(false);
    await notices.update([partial], always);
    world.break(true);
    await notices.update([], always);
    world.break(false);
    await notices.update([], always);
    expect(world.sent).toEqual(['partial', 'recovered']);
  });

  it('takes nothing for over that is not known to be', async () => {
    const { sent, open } = setUp(manualClock(0));
    const notices = open();
    await notices.update([partial], always);
    await notices.update([], (cause) => cause !== 'partial');
    expect(sent).toEqual(['partial']);
  });

  it('tells once what fails three jobs, again when that is due, and nothing when the others are over too', async () => {
    const { clock, sent, open } = setUp(manualClock(0));
    const notices = open();
    const jobs = ['sync', 'drill', 'check'].map((name) => ({
      ...partial,
      event: 'failed' as const,
      cause: `failed ${name} DM_DATABASE_DAMAGED`,
      behind: 'DM_DATABASE_DAMAGED',
    }));
    await notices.update(jobs.slice(0, 1), always);
    await clock.advance(1000);
    await notices.update(jobs, always);
    expect(sent).toEqual(['failed']);
    await clock.advance(3 * DAY);
    await notices.update(jobs, always);
    expect(sent).toEqual(['failed', 'failed again']);
    await notices.update(jobs.slice(1), always);
    await notices.update([], always);
    expect(sent).toEqual(['failed', 'failed again', 'recovered']);
  });

  const failed = (name: string, behind: string): Condition => ({
    ...partial,
    event: 'failed',
    cause: `failed ${name} ${behind}`,
    what: `${name} failed`,
    behind,
  });

  it('calls a full disk over once no job fails for it any more: it was over with the job that was told of', async () => {
    const { sent, open } = setUp(manualClock(0));
    const notices = open();
    const jobs = ['sync', 'forget'].map((name) => failed(name, 'DM_DISK_FULL'));
    await notices.update(jobs, always);
    await notices.update(jobs.slice(1), always);
    expect(sent).toEqual(['failed']);
    await notices.update([], always);
    expect(sent).toEqual(['failed', 'recovered']);
  });

  it('tells of a damaged mirror although something else, or the same long ago, was told', async () => {
    const { clock, sent, open } = setUp(manualClock(0));
    const notices = open();
    await notices.update([partial, failed('report', 'DM_DISK_FULL')], always);
    await notices.update([partial, failed('sync', 'DM_DATABASE_DAMAGED')], () => false);
    expect(sent).toEqual(['partial', 'failed', 'failed']);
    await clock.advance(4 * DAY);
    // The walk is under way: nobody knows whether it fails again.
    await notices.update([failed('check', 'DM_DATABASE_DAMAGED')], () => false);
    expect(sent).toEqual(['partial', 'failed', 'failed', 'failed']);
  });

  it('tells of a job that fails for what another was not told of', async () => {
    const { clock, sent, open } = setUp(manualClock(0));
    const notices = open();
    const [sync, check, drill] = ['sync', 'check', 'drill'].map((name) => failed(name, 'DM_DISK_FULL'));
    if (!sync || !check || !drill) return;
    await notices.update([sync], always);
    await clock.advance(2 * DAY);
    await notices.update([sync, check], always);
    await clock.advance(2 * DAY);
    await notices.update([drill], () => false);
    expect(sent).toEqual(['failed', 'failed']);
  });

  it('tells nothing twice that was told before the process was killed amid its messages', async () => {
    const { sent, open } = setUp(manualClock(0));
    const later = { ...partial, cause: 'later' };
    const memory = openMemory(join(folder, 'daemon.json'), silentLogger());
    const told: string[] = [];
    await new Promise<void>((reached) => {
      const deliver = ({ cause }: Message): Promise<boolean> => {
        told.push(cause);
        if (cause === 'partial') return Promise.resolve(true);
        reached();
        // The receiver does not answer before the kill.
        return new Promise(() => undefined);
      };
      const killed = createNotices({ memory, clock: manualClock(0), remindAfterMs: () => DAY, deliver });
      void killed.update([partial, later], always);
    });
    expect(told).toEqual(['partial', 'later']);
    await open().update([partial], always);
    expect(sent).toEqual([]);
  });

  it('tells nothing twice that another process of the same mirror told', async () => {
    const { sent, open } = setUp(manualClock(0));
    const [daemon, byHand] = [open(), open()];
    await byHand.update([partial], always);
    await daemon.update([partial], always);
    await byHand.update([], always);
    await daemon.update([], always);
    expect(sent).toEqual(['partial', 'recovered']);
  });

  it('lets a deadline end without a word', async () => {
    const { sent, open } = setUp(manualClock(0));
    const notices = open();
    await notices.update([{ ...partial, event: 'undelete', cause: 'undelete x', endsSilently: true }], always);
    await notices.update([], always);
    expect(sent).toEqual(['undelete']);
  });

  it('tells those that are left of many in no message of their own: they were told with the others', async () => {
    const { clock, sent, open } = setUp(manualClock(0));
    const notices = open();
    const gone = { ...partial, event: 'undelete', endsSilently: true } as const;
    const one = { ...gone, cause: 'undelete a' };
    await notices.update([{ ...gone, cause: 'undelete together 1 o', parts: ['undelete a', 'undelete b'] }], always);
    await notices.update([one], always);
    await notices.update([one], always);
    expect(sent.splice(0)).toEqual(['undelete']);
    await notices.update([{ ...one, cause: 'undelete a soon' }], always);
    expect(sent.splice(0)).toEqual(['undelete']);
    await clock.advance(3 * DAY);
    await notices.update([{ ...one, cause: 'undelete a soon' }], always);
    expect(sent).toEqual(['undelete again']);
  });

  it('begins anew, and does not fail, when what it remembered is damaged', async () => {
    const { sent, open } = setUp(manualClock(0));
    writeFileSync(join(folder, 'daemon.json'), '{"notices": {"partial"');
    await open().update([partial], always);
    expect(sent).toEqual(['partial']);
    expect(JSON.parse(readFileSync(join(folder, 'daemon.json'), 'utf8'))).toHaveProperty('notices.partial');
  });
});
