import { runBuilt } from './lib/cli.mjs';

// npm run phone -- enrol --server URL --qr FILE_OR_TEXT
await runBuilt('simulator', 'simulator', ['phone', ...process.argv.slice(2)]);
