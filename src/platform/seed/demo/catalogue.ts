// Which packages the demo puts together into which space, and where. A package that is not installed is left out.

export interface PlannedSpace {
  title: string;
  emoji: string;
  packages: readonly string[];
  /** A text that the first page of each package includes. */
  note?: PlannedNote;
}

export interface PlannedNote {
  title: string;
  text: string;
}

export interface PlannedCollection {
  title: string;
  description: string;
  collections?: readonly PlannedCollection[];
  spaces?: readonly PlannedSpace[];
}

const data: PlannedCollection = {
  title: 'Data',
  description: 'Databases, formats and schemas',
  collections: [
    {
      title: 'SQL',
      description: 'SQLite and typed queries',
      spaces: [
        {
          title: 'SQLite',
          emoji: '🗄️',
          packages: [
            'better-sqlite3',
            'bindings',
            'file-uri-to-path',
            'prebuild-install',
            'node-abi',
            'napi-build-utils',
          ],
          note: {
            title: 'Native packages',
            text: '{% hint style="warning" %}\nPart of this is compiled for your system. After an upgrade of Node.js, install it again.\n{% endhint %}',
          },
        },
        { title: 'Query builder', emoji: '🔎', packages: ['kysely'] },
      ],
    },
    {
      title: 'Formats',
      description: 'Reading and writing text formats',
      spaces: [
        {
          title: 'Text formats',
          emoji: '📄',
          packages: ['yaml', 'smol-toml', 'ini', 'strip-json-comments', 'secure-json-parse', 'safe-stable-stringify'],
          note: {
            title: 'Text from elsewhere',
            text: '{% hint style="info" %}\nCheck the size of a text **before** you read it, and its shape right after.\n{% endhint %}',
          },
        },
        { title: 'Schemas', emoji: '📐', packages: ['typebox', 'zod', '@standard-schema/spec'] },
        {
          title: 'Numbers',
          emoji: '🔢',
          packages: ['semver', 'tdigest', 'bintrees', 'ieee754', 'base64-js', 'nanoid'],
        },
      ],
    },
  ],
};

const http: PlannedCollection = {
  title: 'HTTP',
  description: 'Both ends of a request',
  collections: [
    {
      title: 'Client',
      description: 'Sending requests',
      spaces: [
        { title: 'Undici', emoji: '🌐', packages: ['undici'] },
        {
          title: 'Small requests',
          emoji: '📮',
          packages: ['simple-get', 'decompress-response', 'mimic-response', 'tunnel-agent'],
        },
      ],
    },
    {
      title: 'Server',
      description: 'Answering requests',
      spaces: [{ title: 'Web framework', emoji: '🔥', packages: ['hono', '@hono/node-server'] }],
    },
  ],
};

const runtime: PlannedCollection = {
  title: 'Runtime',
  description: 'What a running program needs',
  collections: [
    {
      title: 'Observing',
      description: 'Logs and metrics',
      spaces: [
        { title: 'Pino', emoji: '🌲', packages: ['pino'] },
        {
          title: 'Around the logger',
          emoji: '🪵',
          packages: [
            'pino-pretty',
            'pino-abstract-transport',
            'pino-std-serializers',
            '@pinojs/redact',
            'sonic-boom',
            'thread-stream',
            'process-warning',
            'split2',
            'dateformat',
          ],
        },
        { title: 'Metrics', emoji: '📈', packages: ['prom-client', '@opentelemetry/api'] },
      ],
    },
    {
      title: 'Streams',
      description: 'Bytes on the move',
      spaces: [
        {
          title: 'Streams and buffers',
          emoji: '🌊',
          packages: ['readable-stream', 'bl', 'buffer', 'safe-buffer', 'string_decoder', 'pump', 'end-of-stream'],
        },
        { title: 'Archives', emoji: '🗜️', packages: ['yauzl', 'yazl', 'tar-stream', 'tar-fs', 'pend', 'buffer-crc32'] },
      ],
    },
  ],
  spaces: [
    {
      title: 'Schedules and queues',
      emoji: '⏰',
      packages: ['croner', 'p-queue', 'p-timeout', 'eventemitter3', 'once'],
    },
  ],
};

const text: PlannedCollection = {
  title: 'Text and terminals',
  description: 'What people read and type',
  spaces: [
    {
      title: 'Markdown',
      emoji: '✍️',
      packages: ['markdown-it', 'linkify-it', 'mdurl', 'uc.micro', 'punycode.js', 'entities'],
    },
    { title: 'Text differences', emoji: '🆚', packages: ['diff', 'magic-string'] },
    { title: 'Command lines', emoji: '⌨️', packages: ['commander', 'minimist', 'rc', 'argparse', 'help-me'] },
    {
      title: 'Terminals',
      emoji: '🖥️',
      packages: [
        'cli-progress',
        'colorette',
        'picocolors',
        'supports-color',
        'has-flag',
        'ansi-regex',
        'strip-ansi',
        'string-width',
        'emoji-regex',
      ],
    },
  ],
};

const tooling: PlannedCollection = {
  title: 'Tooling',
  description: 'Building, checking and testing',
  collections: [
    {
      title: 'Testing',
      description: 'Tests, properties and coverage',
      spaces: [
        { title: 'Properties', emoji: '🎲', packages: ['fast-check', 'pure-rand'] },
        {
          title: 'Assertions',
          emoji: '✅',
          packages: ['chai', 'expect-type', '@vitest/expect', '@vitest/snapshot', 'tinybench'],
        },
        {
          title: 'Coverage',
          emoji: '☂️',
          packages: ['istanbul-reports', 'istanbul-lib-coverage', 'istanbul-lib-report', 'ast-v8-to-istanbul'],
        },
      ],
    },
    {
      title: 'Building',
      description: 'From source to program',
      spaces: [
        {
          title: 'Parsers',
          emoji: '🌳',
          packages: ['@babel/parser', 'oxc-parser', 'es-module-lexer', 'estree-walker', 'magicast'],
        },
        {
          title: 'Source maps',
          emoji: '🗺️',
          packages: ['source-map-js', '@jridgewell/trace-mapping', '@jridgewell/sourcemap-codec', 'convert-source-map'],
        },
        {
          title: 'Files and paths',
          emoji: '📁',
          packages: ['picomatch', 'fdir', 'tinyglobby', 'oxc-resolver', 'get-tsconfig', 'pathe'],
        },
      ],
    },
  ],
};

export const CATALOGUE: readonly PlannedCollection[] = [data, http, runtime, text, tooling];

/** Where packages go that the catalogue does not name. */
export const OTHER_PACKAGES: Omit<PlannedSpace, 'packages'> = { title: 'Everything else', emoji: '🧺' };
