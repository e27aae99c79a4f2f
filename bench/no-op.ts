import { fork } from 'node:child_process';
import { once } from 'node:events';
import { pinnedNode } from '#scripts/lib/node.mjs';
import { inRoot } from '#scripts/lib/root.mjs';
import { appHeaders } from '#bench/lib/client.ts';
import { type Bench, ratioOf } from '#bench/lib/figures.ts';
import { closedLoop, requestBytes } from '#bench/lib/load.ts';
import { tokenOf } from '#bench/lib/plant.ts';
import { onStage } from '#bench/lib/stage.ts';

const ORG = 50;
const SHOPS = 32;
const ROUNDS = 7;
const ROUND_S = 2;
const CONNECTIONS = 128;
const REQUESTS = 4000;
const PATH = '/api/config/access-config';

/** A call with every header checked (limits, freshness, session, access) that only reads what the session already brought, against a bare server of the same answer. */
export const noOp: Bench = {
  name: 'no-op',
  run: () =>
    onStage([{ orgId: ORG, phones: 32, retailers: SHOPS, level: 0, hasBooks: false }], async ({ port }) => {
      const bare = fork(inRoot('bench', 'lib', 'bare-server.mjs'), [], {
        execPath: pinnedNode(),
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      const [barePort] = (await once(bare, 'message')) as [number];
      try {
        const requests = Array.from({ length: REQUESTS }, (_, n) =>
          requestBytes('GET', PATH, appHeaders(PATH, tokenOf(ORG, 1 + (n % SHOPS)))),
        );
        const measure = async (at: number, seconds = ROUND_S) => {
          let turn = 0;
          const load = await closedLoop(at, CONNECTIONS, seconds * 1000, () => requests[turn++ % REQUESTS], {
            isSleepless: true,
          });
          if (load.refused > 0) throw new Error(`${load.refused} calls were refused: ${load.firstRefusal}`);
          return load.perSecond;
        };
        await measure(port, 1);
        await measure(barePort, 1);
        const ratio = await ratioOf(
          ROUNDS,
          () => measure(port),
          () => measure(barePort),
        );
        return [
          {
            name: 'authenticated no-op',
            of: `GET ${PATH} ÷ bare node:http, ${CONNECTIONS} connections each`,
            unit: '×',
            atLeast: 0.5,
            ...ratio,
            detail: `${ratio.ours.toFixed(0)}/s ÷ ${ratio.theirs.toFixed(0)}/s`,
          },
        ];
      } finally {
        bare.kill();
      }
    }),
};
