import { rmSync } from 'node:fs';
import { ensureChromium } from './lib/chromium.mjs';
import { runTool } from './lib/exec.mjs';
import { ensureDependencies } from './lib/install.mjs';
import { continueOnPinnedNode } from './lib/node.mjs';
import { inRoot } from './lib/root.mjs';

// npm run screens: walks every screen and state on the real server and writes pictures to artifacts/screens. Words after it choose
// among the sizes, themes, languages and screens: `npm run screens -- 360x640 light hn lock-rules`.
await ensureDependencies();
await continueOnPinnedNode(import.meta.filename);

const wanted = process.argv.slice(2);
if (wanted.length === 0) rmSync(inRoot('artifacts', 'screens'), { recursive: true, force: true });
const env = { CHROME_PATH: await ensureChromium(), KIST_SCREENS: wanted.join(' ') || 'all' };
const { code } = await runTool('playwright', ['test'], { echo: true, env, timeoutMs: 3_600_000 });
if (code === 0) process.stdout.write(`\nThe pictures are in ${inRoot('artifacts', 'screens')}\n`);
process.exitCode = code;
