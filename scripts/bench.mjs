import { run, toolEnv } from './lib/exec.mjs';
import { ensureDependencies } from './lib/install.mjs';
import { pinnedNode } from './lib/node.mjs';
import { inRoot } from './lib/root.mjs';

// npm run bench [name…]: ratios of this machine, into docs/benchmarks.md.
await ensureDependencies();
const { code } = await run(pinnedNode(), [inRoot('bench', 'run.ts'), ...process.argv.slice(2)], {
  env: toolEnv(),
  echo: true,
});
process.exitCode = code;
