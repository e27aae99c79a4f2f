import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { errorFacts } from '#simulator/journal.ts';
import type { Journal } from '#simulator/journal.ts';
import type { Fleet, LabPhone } from './fleet.ts';

/** `GET {server}/demo/phones`: the phones of the demo shop that are ready to be set up, with their QR. */
const demoPhoneSchema = z.object({
  name: z.string(),
  qr: z.union([z.string(), z.looseObject({})]),
  imei1: z.string().nullish(),
  serial: z.string().nullish(),
  brand: z.string().nullish(),
  model: z.string().nullish(),
  agent: z.enum(['DPC', 'LINKFL']).default('DPC'),
});
type DemoPhone = z.output<typeof demoPhoneSchema>;
const listSchema = z.array(demoPhoneSchema);
const repliesSchema = z.union([listSchema, z.object({ data: listSchema }).transform(({ data }) => data)]);

const RETRY_MS = 1000;

/**
 * Sets the demo's phones up, each once; those that live already are left alone, unless the server never heard of them (its data is new).
 * @param limit at most so many
 */
export async function setUpDemoPhones(options: {
  serverUrl: string;
  fleet: Fleet;
  limit: number;
  signal: AbortSignal;
  journal: Journal;
}): Promise<void> {
  const list = await untilAnswered(options.serverUrl, options.signal);
  for (const wanted of list.slice(0, options.limit)) {
    if (options.signal.aborted) return;
    try {
      await setUp(options.fleet, wanted);
    } catch (error) {
      // By the lab's own id: the phone's name is its owner's.
      const phone = options.fleet.list().find((one) => isSame(one, wanted))?.id;
      options.journal({ phone, what: 'set_up_failed', ...errorFacts(error) });
    }
  }
}

/** The server may still be creating its database; one without demo phones answers 404. */
async function untilAnswered(serverUrl: string, signal: AbortSignal): Promise<DemoPhone[]> {
  while (!signal.aborted) {
    const response = await fetch(`${serverUrl}/demo/phones`, { signal }).catch(() => undefined);
    if (response?.status === 404) return [];
    if (response?.ok) return repliesSchema.parse(await response.json());
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return [];
}

async function setUp(fleet: Fleet, wanted: DemoPhone): Promise<void> {
  const qr = typeof wanted.qr === 'string' ? wanted.qr : JSON.stringify(wanted.qr);
  const known = fleet.list().find((one) => isSame(one, wanted));
  const one = known ?? fleet.add(newPhoneOf(wanted));
  if (one.live.state().agent && !(await isStranger(one))) return;
  if (one.live.state().agent) one.live.happen({ kind: 'erase' });
  if (!one.live.state().isOn) one.live.happen({ kind: 'power_on' });
  await one.live.scan(qr);
}

function isSame(one: LabPhone, wanted: DemoPhone): boolean {
  const { imei, serial } = one.live.state().hardware;
  return wanted.imei1 ? imei.includes(wanted.imei1) : serial === wanted.serial;
}

const newPhoneOf = ({ name, brand, model, serial, imei1, agent }: DemoPhone) => ({
  name,
  agent,
  ...(brand ? { brand } : {}),
  ...(model ? { model } : {}),
  ...(serial ? { serial } : {}),
  ...(imei1 ? { imei: imei1 } : {}),
});

/** The server does not know this phone's key: it is another server than the one that the phone was set up with. */
async function isStranger(one: LabPhone): Promise<boolean> {
  await one.live.contact();
  return one.live.contactStatus().lastError?.includes('AGENT_UNKNOWN') ?? false;
}
