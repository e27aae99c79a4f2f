import { z } from 'zod';
import { type LabPhone, modelOf } from './fleet.ts';

/** `GET {server}/demo/phones/:imei/owner`: whose a phone is, as the demo's shop knows. */
const ownerSchema = z.object({ name: z.string().min(1) });
const TIMEOUT_MS = 3000;

/** A phone that nobody named is called after whom the shop has just set it up for. Only the wall says so: the phone itself is never told a name. */
export async function nameByOwner(one: LabPhone): Promise<void> {
  if (one.isNamed) return;
  const [imei = ''] = one.live.state().hardware.imei;
  const reply = await fetch(`${one.serverUrl}/demo/phones/${imei}/owner`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined);
  // A server that is no demo, or a shop that is not the demo's: it keeps the name of its model.
  const owner = reply?.ok ? ownerSchema.safeParse(await reply.json().catch(() => undefined)).data : undefined;
  one.name = owner?.name ?? modelOf(one.live.state().hardware);
}
