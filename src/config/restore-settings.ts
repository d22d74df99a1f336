// How a restore hands content to the platform.
import { address, addressTemplate, host } from './setting-address.ts';
import { integer, nullable, place, port, type Setting } from './setting.ts';

const COUNT = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

export const RESTORE_SETTINGS = {
  'contentServer.host': host({
    description: 'Address that a restore serves content on while the platform imports it.',
    default: '127.0.0.1',
  }),
  'contentServer.port': port({
    description: 'Port of the content server; 0 is any free one.',
    default: 0,
  }),
  'contentServer.publicUrl': nullable(
    address({
      description: 'The address at which the platform reaches the content server; its own address when null.',
      default: null,
    }),
    "the content server's own address",
  ),
  'contentServer.directory': nullable(
    place(
      {
        description:
          'Folder in which a restore places content instead of serving it; something of yours, such as a web server or a mounted bucket, shows its files to the platform.',
        default: null,
      },
      'folder',
    ),
    'the own server',
  ),
  'contentServer.addressTemplate': nullable(
    addressTemplate({
      description: 'The address of a file in that folder, such as `https://files.example.com/{name}`.',
      default: null,
    }),
    'none',
  ),
  'restore.maxPagesPerImport': nullable(
    integer(
      {
        description:
          'Content of more pages goes in by several imports; an import that the platform refuses as too much is halved in any case.',
        default: null,
      },
      COUNT,
    ),
    'no limit',
  ),
  'restore.maxBytesPerImport': nullable(
    integer(
      {
        description: 'Content of more bytes, texts and files together, goes in by several imports.',
        default: null,
      },
      COUNT,
    ),
    'no limit',
  ),
} satisfies Record<string, Setting<unknown>>;
