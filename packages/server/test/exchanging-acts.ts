import { KistError } from '@kist/contract/errors';
import * as agreements from '#server/agreements/agreements.ts';
import * as devices from '#server/devices/devices.ts';
import type { Actor } from '#server/identity/identity.ts';
import { checkBooks } from '#server/ledger/ledger.ts';
import * as sales from '#server/sales/sales.ts';
import { imei } from './factories.ts';
import { type LockWorld, ORG, type Sale } from './lock-world.ts';

/** Another phone, or another number, under a running agreement. @param world of the file's tests */
export function exchangingActs(world: LockWorld) {
  let numbers = 500_000;
  const newNumber = () => (numbers += 1);
  const phone = (given: Partial<Parameters<typeof sales.exchangePhone>[2]['device']> = {}) => ({
    imei1: imei(newNumber()),
    imei2: undefined,
    brand: 'Vivo',
    model: 'Y28',
    ...given,
  });
  return {
    /** For an IMEI that none has had. */
    newNumber,
    phone,
    preview: ({ customerId: customer_id }: Sale, by: Actor = world.shop) =>
      world.inOrg((tx) => sales.previewExchange(tx, by, { customer_id })),
    exchange: ({ customerId: customer_id }: Sale, device = phone(), by: Actor = world.shop) =>
      world.inOrg((tx) =>
        sales.exchangePhone(tx, by, { customer_id, device, reason: 'display broken' }, world.locking.letGoOfExchanged),
      ),
    refusal: (promise: Promise<unknown>) =>
      promise.then(
        () => 'accepted',
        (error: unknown) => (error instanceof KistError ? error.code : String(error)),
      ),
    account: ({ agreement: { agreement_id } }: Sale) =>
      world.db.read(ORG, (tx) => agreements.account(tx, { agreement_id })),
    faults: async () => [
      ...(await world.db.read(ORG, (tx) => checkBooks(tx))).differences,
      ...(await agreements.checkTerms(world.db, ORG, null)),
    ],
    statusOf: async ({ customerId }: Sale) =>
      (
        await world.db.asOwner<{ status: number }>('select status from customers where customer_id = $1', [customerId])
      )[0]!.status,
    released: async (deviceId: string) => (await world.db.read(ORG, (tx) => devices.get(tx, deviceId))).releasedAt,
    /** The same sale with its present phone. */
    withPhone: (sale: Sale, deviceId: string): Sale => ({ ...sale, deviceId }),
  };
}
