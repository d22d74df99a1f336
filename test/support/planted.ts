// Secrets that are planted wherever one is taken, and the search for them in all that a run leaves behind.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** One for each place that takes a secret. None is part of another. */
export const PLANTED = {
  platform: 'dm_PlantedPlatformToken_0123456789',
  target: 'dm_PlantedTargetToken_0123456789',
  refused: 'dm_PlantedRefusedToken_0123456789',
  status: 'PlantedStatusToken_0123456789',
  replica: 'PlantedReplicaToken_0123456789',
  webhook: 'PlantedWebhookPath_0123456789',
  webhookKey: 'PlantedWebhookKey_0123456789',
  webhookPassword: 'PlantedWebhookPassword_0123456789',
  mail: 'PlantedMailPassword_0123456789',
  pingStart: 'PlantedPingStart_0123456789',
  pingSuccess: 'PlantedPingSuccess_0123456789',
  pingFailure: 'PlantedPingFailure_0123456789',
} as const;

/** What would give a secret away: as it is, and as it goes over a wire. */
const MARKS = Object.entries(PLANTED).flatMap(([name, secret]) => {
  // The middle of three of the six ways in which base64 can hold it: whatever stands before it.
  const encoded = [0, 1, 2].map((shift) =>
    Buffer.from('x'.repeat(shift) + secret)
      .toString('base64')
      .slice(4, -4),
  );
  const hex = Buffer.from(secret).toString('hex');
  return [secret, secret.slice(4, -4), ...encoded, hex].map((mark) => ({ name, mark: Buffer.from(mark) }));
});

/** Names of the planted secrets that the bytes hold, in the clear or encoded. */
export function plantedIn(bytes: Buffer | string): string[] {
  const all = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
  return [...new Set(MARKS.filter(({ mark }) => all.includes(mark)).map(({ name }) => name))];
}

/** Every file below a folder that holds a planted secret, or is named by one, with the secrets. */
export function plantedBelow(folder: string): string[] {
  return filesBelow(folder).flatMap((file) => {
    const found = plantedIn(Buffer.concat([Buffer.from(file), readFileSync(file)]));
    return found.length === 0 ? [] : [`${file}: ${found.join(', ')}`];
  });
}

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** What any user of the machine reads of a process: its command line and its name. Its environment is not among it. */
export function shownOfProcess(pid: number): string {
  if (!existsSync(`/proc/${pid}`)) return '';
  return ['cmdline', 'comm', 'status'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')).join('\n');
}
