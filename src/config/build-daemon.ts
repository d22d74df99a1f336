// Schedule, retention and notifications, from checked values.
import { ConfigError } from './errors.ts';
import { readSecret, type SecretContext } from './read-secret.ts';
import type { Values } from './read-values.ts';
import type { NotifyConfig, RetentionConfig, ScheduleConfig } from './types.ts';

export function scheduleConfig(values: Values): ScheduleConfig {
  return {
    timezone: values.get('schedule.timezone'),
    sync: values.get('schedule.sync'),
    drill: values.get('schedule.drill'),
    check: values.get('schedule.check'),
    forget: values.get('schedule.forget'),
    report: values.get('schedule.report'),
    jitterMs: values.get('schedule.jitter'),
    retryAfterMs: values.get('schedule.retryAfter'),
  };
}

export function retentionConfig(values: Values): RetentionConfig {
  const last = values.get('retention.keepLast');
  const daily = values.get('retention.keepDaily');
  const weekly = values.get('retention.keepWeekly');
  const monthly = values.get('retention.keepMonthly');
  const yearly = values.get('retention.keepYearly');
  // Zeros alone would drop all but the newest: that is not something to be said by leaving out.
  const isSaid = [last, daily, weekly, monthly, yearly].some((places) => places !== null && places > 0);
  const policy = {
    last: last ?? 0,
    daily: daily ?? 0,
    weekly: weekly ?? 0,
    monthly: monthly ?? 0,
    yearly: yearly ?? 0,
  };
  return { policy: isSaid ? policy : null, prune: values.get('retention.prune') };
}

export function notifyConfig(values: Values, context: SecretContext): NotifyConfig {
  return {
    ping: {
      start: readSecret('notify.pingStart', values, context),
      success: readSecret('notify.pingSuccess', values, context),
      failure: readSecret('notify.pingFailure', values, context),
      method: values.get('notify.pingMethod'),
    },
    webhook: readSecret('notify.webhook', values, context),
    mail: mailConfig(values, context),
    remindAfterMs: values.get('notify.remindAfter'),
    freeDisk: values.get('notify.freeDisk'),
  };
}

// A server without a sender, or without receivers, would be half a way.
function mailConfig(values: Values, context: SecretContext): NotifyConfig['mail'] {
  const url = readSecret('notify.mailUrl', values, context);
  const from = values.get('notify.mailFrom');
  const to = values.get('notify.mailTo');
  if (url === null) return null;
  if (from !== null && to.length > 0) return { url, from, to };
  const missing = from === null ? 'notify.mailFrom' : 'notify.mailTo';
  throw new ConfigError('DM_CONFIG_INVALID', `A mail server is set without ${missing}; expected both`, {
    hint: `Set ${missing}, or take notify.mailUrl away.`,
  });
}
