import { run, toolEnv } from './lib/exec.mjs';
import { ensureDependencies } from './lib/install.mjs';
import { pinnedNode } from './lib/node.mjs';
import { inRoot } from './lib/root.mjs';

// npm run proof [-- --seed N --kills N --rounds N]: races and kills, held against the books; the whole writes docs/proof.md.
await ensureDependencies();
const { code } = await run(pinnedNode(), [inRoot('sim', 'proof.ts'), ...process.argv.slice(2)], {
  env: toolEnv(),
  echo: true,
});
process.exitCode = code;
