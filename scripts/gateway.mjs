import { runBuilt } from './lib/cli.mjs';

// npm run gateway -- --port 3301 --secret-file FILE, an SMS gateway that sends nothing: for trying production out
await runBuilt('simulator', 'simulator', ['gateway', ...process.argv.slice(2)]);
