/**
 * The import law as examples: from each room, imports that must be refused and imports that must pass. The passing
 * ones matter as much: a rule that refuses everything would also "fire".
 * @type {{ room: string, folder: string, refused: string[], allowed: string[] }[]}
 */
export const importLaw = [
  {
    room: 'contract',
    folder: 'packages/contract/src',
    refused: ['node:fs', 'react', 'fastify', '@kist/server/main', '@kist/web/main', '#server/main.ts'],
    allowed: ['zod', 'zod/mini', './money.ts', './agent/wire.ts', '#contract/money'],
  },
  {
    room: 'platform',
    folder: 'packages/server/src/platform',
    refused: [
      '#server/payments/payments.ts',
      '#server/agreements/store.ts',
      '#server/http/app.ts',
      '#server/config.ts',
    ],
    allowed: ['node:crypto', 'pg', './db.ts', '#server/platform/clock.ts'],
  },
  {
    room: 'slice',
    folder: 'packages/server/src/payments',
    refused: [
      '#server/agreements/store.ts',
      '#server/agreements/journal-store.ts',
      '#server/http/app.ts',
      '#server/http/routes/payments.ts',
      '#server/jobs/daily-run.ts',
      '#server/commands/adapters/google/adapter.ts',
      '@kist/web/main',
      '@kist/simulator/cli',
    ],
    allowed: ['@kist/contract/money', '#server/platform/db.ts', '#server/agreements/agreements.ts', './store.ts', 'pg'],
  },
  {
    room: 'command plane',
    folder: 'packages/server/src/commands',
    refused: [
      './adapters/google/adapter.ts',
      '#server/commands/adapters/google/adapter.ts',
      '#server/devices/store.ts',
    ],
    allowed: ['./adapter.ts', './store.ts', '#server/devices/devices.ts'],
  },
  {
    room: 'adapter folder',
    folder: 'packages/server/src/commands/adapters/apple-mdm',
    refused: [
      '#server/commands/commands.ts',
      '#server/commands/store.ts',
      '#server/devices/devices.ts',
      '#server/commands/adapters/google/adapter.ts',
      '#server/http/app.ts',
    ],
    allowed: ['#server/commands/adapter.ts', '#server/platform/crypto.ts', '@kist/contract/commands', './plist.ts'],
  },
  {
    room: 'one-file adapter',
    folder: 'packages/server/src/commands/adapters',
    refused: ['./google.ts', './google/adapter.ts', '#server/devices/devices.ts'],
    allowed: ['#server/commands/adapter.ts', '#server/platform/crypto.ts', '@kist/contract/commands'],
  },
  {
    room: 'route',
    folder: 'packages/server/src/http/routes',
    refused: ['#server/payments/store.ts', '#server/commands/adapters/google/adapter.ts', '#server/jobs/daily-run.ts'],
    allowed: ['#server/payments/payments.ts', '#server/http/auth.ts', '@kist/contract/emi', '#server/platform/db.ts'],
  },
  {
    room: 'http',
    folder: 'packages/server/src/http',
    refused: ['#server/identity/store.ts', '#server/commands/adapters/google/adapter.ts', '@kist/web/main'],
    allowed: ['#server/identity/identity.ts', './routes/payments.ts', '#server/commands/adapter.ts', 'fastify'],
  },
  {
    room: 'job',
    folder: 'packages/server/src/jobs',
    refused: ['#server/payments/store.ts', '#server/commands/adapters/google/adapter.ts', '#server/http/app.ts'],
    allowed: ['#server/payments/payments.ts', '@kist/contract/emi', '#server/platform/db.ts'],
  },
  {
    room: 'demo shop',
    folder: 'packages/server/src/demo',
    refused: ['#server/payments/store.ts', '#server/commands/adapters/google/adapter.ts', '@kist/simulator/cli'],
    allowed: ['#server/payments/payments.ts', '#server/jobs/daily-run.ts', '#server/compose.ts', './people.ts'],
  },
  {
    room: 'command line',
    folder: 'packages/server/src/cli',
    refused: ['#server/payments/store.ts', '#server/commands/adapters/google/adapter.ts', '@kist/simulator/cli'],
    allowed: ['#server/wallet/wallet.ts', '#server/http/openapi.ts', '#server/compose.ts', './command.ts'],
  },
  {
    room: 'composition root',
    folder: 'packages/server/src',
    refused: ['@kist/web/main', '@kist/simulator/cli'],
    allowed: [
      './config.ts',
      '#server/http/app.ts',
      '#server/commands/adapters/google/adapter.ts',
      '#server/payments/store.ts',
    ],
  },
  {
    room: 'simulator',
    folder: 'packages/simulator/src/phones',
    refused: ['@kist/server/main', '#server/main.ts', '@kist/web/main', '#web/paths.ts'],
    allowed: ['@kist/contract/agent', '#simulator/lab.ts', 'node:http', './battery.ts'],
  },
  ...['e2e', 'bench', 'sim'].map((folder) => ({
    room: folder,
    folder,
    refused: ['@kist/server/main', '@kist/web/paths', '@kist/simulator/lab', '#server/main.ts'],
    allowed: ['@kist/contract/agent', './support.ts', 'node:fs'],
  })),
  {
    room: 'screen',
    folder: 'packages/web/src/screens/login',
    refused: ['#web/screens/otp/screen.tsx', '#web/routes.tsx', '@kist/server/main', '#server/main.ts'],
    allowed: [
      '#web/widgets/chip.tsx',
      '#web/ui/button.tsx',
      '#web/api/auth.ts',
      '#web/paths.ts',
      './form.tsx',
      '@kist/contract/emi',
    ],
  },
  {
    room: 'widget',
    folder: 'packages/web/src/widgets',
    refused: ['#web/screens/otp/screen.tsx', '#web/routes.tsx', '@kist/server/main'],
    allowed: ['#web/ui/button.tsx', '#web/api/auth.ts', './chip.tsx', '@kist/contract/emi'],
  },
  {
    room: 'ui',
    folder: 'packages/web/src/ui',
    refused: [
      '#web/widgets/chip.tsx',
      '#web/screens/otp/screen.tsx',
      '#web/api/auth.ts',
      '#web/paths.ts',
      '@kist/contract/emi',
    ],
    allowed: ['react', './button.tsx', '#web/ui/field.tsx'],
  },
  ...['api', 'offline', 'i18n', 'native'].map((name) => ({
    room: name,
    folder: `packages/web/src/${name}`,
    refused: ['#web/screens/otp/screen.tsx', '#web/widgets/chip.tsx', '#web/ui/button.tsx', '@kist/server/main'],
    allowed: ['@kist/contract/endpoints', './client.ts', '#web/api/client.ts'],
  })),
];

/** Refused in every room. */
export const refusedEverywhere = [
  '../sibling/thing.ts',
  '..',
  './deep/../thing.ts',
  '.',
  './index.ts',
  './parts/index.ts',
];
