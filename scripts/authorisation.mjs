import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { plantAuthorisation } from './lib/authorisation.mjs';
import { ensureDependencies } from './lib/install.mjs';
import { continueOnPinnedNode } from './lib/node.mjs';
import { inRoot, root } from './lib/root.mjs';
import { authorisationFaults, testsOf } from './planted/authorisation-faults.mjs';

// npm run authorisation: plants one fault of authorisation after the other in a copy of the tree; the tests must see each. It takes an hour, so `npm test`
// plants a share. --only plants those with that word in their name; the whole writes docs/authorisation.md.
await ensureDependencies();
await continueOnPinnedNode(import.meta.filename);
const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const startedMs = performance.now();
const faults = authorisationFaults.filter(({ name }) => name.includes(values.only));
const planted = await plantAuthorisation(faults);
const missed = planted.filter(({ isSeen }) => !isSeen);
const told = `${planted.length - missed.length} of ${planted.length} faults were seen.`;
process.stdout.write(`${told}\n`);
if (values.only === '') writePage();
process.exitCode = missed.length > 0 ? 1 : 0;

function writePage() {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const minutes = Math.round((performance.now() - startedMs) / 60_000);
  const rows = planted.map(({ name, isSeen, tookS, why }, index) => {
    const tests = testsOf(faults[index] ?? { found: [] }).map((test) => `\`${test.split('/').at(-1)}\``);
    return `| ${name} | ${tests.join(', ')} | ${isSeen ? 'yes' : `**no** (${why})`} | ${tookS} |`;
  });
  const page = `# Who may do what, and whether a mistake is seen

Who may make each call stands three times: in the contract, which the server enforces, and apart from it in the tests: which roles (\`http/roles.sweep.test.ts\`), which access words (\`http/access.sweep.test.ts\`), and whose things are found by whom (\`http/ownership.sweep.test.ts\`: every place of every call where an id stands, own, a mini-retailer's, a sibling's, another organisation's, deleted, malformed, with the answers searched for the words and amounts of others).

\`npm run authorisation\` plants faults in a copy of the sources, one at a time, and runs these tests: each must fail. \`npm test\` plants a share.

<!-- last run -->
${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${minutes} min on ${os.availableParallelism()} cores.

**${told}**

| planted | looked for by | seen | s |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
  writeFileSync(inRoot('docs', 'authorisation.md'), page);
}
