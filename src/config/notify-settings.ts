// Who is told what, and how.
import { mailbox, mailboxes, secretAddress } from './setting-address.ts';
import { duration } from './setting-time.ts';
import { choice, nullable, place, share, type Setting } from './setting.ts';

const WEB = ['http:', 'https:'] as const;
const MAIL = ['smtp:', 'smtps:'] as const;

function ping(when: string, environment: string): Setting<string | null> {
  const description = `Address that is asked ${when}: a dead-man switch, such as that of a monitoring service.`;
  return nullable(secretAddress({ description, default: null, environment }, WEB), 'none');
}

function fileOf(environment: string): Setting<string | null> {
  return nullable(place({ description: 'File that holds that address.', default: null, environment }, 'file'), 'none');
}

export const NOTIFY_SETTINGS = {
  'notify.pingStart': ping('when a walk begins', 'DOCMIRROR_PING_START'),
  'notify.pingStartFile': fileOf('DOCMIRROR_PING_START_FILE'),
  'notify.pingSuccess': ping('when a walk ended with a complete snapshot', 'DOCMIRROR_PING_SUCCESS'),
  'notify.pingSuccessFile': fileOf('DOCMIRROR_PING_SUCCESS_FILE'),
  'notify.pingFailure': ping('when a walk failed or is not complete', 'DOCMIRROR_PING_FAILURE'),
  'notify.pingFailureFile': fileOf('DOCMIRROR_PING_FAILURE_FILE'),
  'notify.pingMethod': choice(
    {
      description: 'How these are asked; with POST, a line of text goes with it.',
      default: 'POST',
    },
    ['POST', 'GET'],
  ),
  'notify.webhook': nullable(
    secretAddress(
      {
        description: 'Address that each message is sent to as JSON.',
        default: null,
        environment: 'DOCMIRROR_NOTIFY_WEBHOOK',
      },
      WEB,
    ),
    'none',
  ),
  'notify.webhookFile': fileOf('DOCMIRROR_NOTIFY_WEBHOOK_FILE'),
  'notify.mailUrl': nullable(
    secretAddress(
      {
        description:
          'Mail server that messages are sent through, such as `smtps://user:password@mail.example.com`. A password goes through TLS alone, but to this machine, unless the address ends in `?requireTLS=false`.',
        default: null,
        environment: 'DOCMIRROR_NOTIFY_MAIL_URL',
      },
      MAIL,
    ),
    'none',
  ),
  'notify.mailUrlFile': fileOf('DOCMIRROR_NOTIFY_MAIL_URL_FILE'),
  'notify.mailFrom': nullable(mailbox({ description: 'Sender of messages by e-mail.', default: null }), 'none'),
  'notify.mailTo': mailboxes({ description: 'Receivers of messages by e-mail.', default: [] }),
  'notify.remindAfter': duration({
    description: 'What is still wrong is told again after so long.',
    default: '3d',
  }),
  'notify.freeDisk': share({
    description: 'The disk counts as almost full when a smaller part of it is free.',
    default: 0.1,
  }),
} satisfies Record<string, Setting<unknown>>;
