import { runBuilt } from './lib/cli.mjs';

// npm run kist -- COMMAND …, the administrator's command line on the data folder of `npm start`
await runBuilt('server', 'kist', process.argv.slice(2));
