import { KistError } from '@kist/contract/errors';
import * as documents from '#server/documents/documents.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Sealer } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import { countAsDone } from '#server/platform/outbox.ts';
import { writeBlackAndWhite } from '#server/platform/png.ts';
import type { Ports } from '#server/platform/ports.ts';
import * as sales from '#server/sales/sales.ts';
import { DEMO_ORG } from './organisation.ts';
import type { PlannedCustomer } from './plan.ts';

/** Which text of the clause the shop's past was signed on. */
export const CLAUSE_VERSION = '1';

/** Some regulars never gave their code: the shop still has consents to collect, and no debt would hold these phones. */
export const hasAgreed = ({ kind, n }: PlannedCustomer): boolean => !(kind === 'regular' && n % 8 === 3);

/** The customers' own phones, as far as they read text messages: what is sealed for the way there they can read. */
export class Inbox {
  #last = '';

  /** Of a past in which messages arrive. */
  ports({ identity }: Ports): Pick<Ports, 'identity'> {
    const { sealer } = identity;
    const reading: Sealer = {
      ...sealer,
      seal: (plain, place) => {
        this.#last = String(plain);
        return sealer.seal(plain, place);
      },
    };
    return { identity: { ...identity, sealer: reading, canSendCodes: () => true } };
  }

  /** The code that came last. */
  code(): string {
    return (JSON.parse(this.#last) as { params: { code: string } }).params.code;
  }
}

/** No agreement runs yet. */
const nothingFollows = async (): Promise<void> => undefined;

/** A line that goes up and down as a hand does, another for each customer. */
function signatureOf({ n }: PlannedCustomer): Buffer {
  const [width, height] = [240, 80];
  const lineAt = (x: number) => 40 + 22 * Math.sin(x / (7 + (n % 5))) * Math.cos(x / (19 + (n % 7)));
  const isInk = (x: number, y: number) => x > 16 && x < 224 && Math.abs(y - lineAt(x)) < 2.5;
  return writeBlackAndWhite(width, height, (x, y) => !isInk(x, y));
}

/** A customer signs and tells the code from their phone, before the sale is finished. */
export async function agree(
  past: Database,
  inbox: Inbox,
  { shop, one, customer_id }: { shop: Actor; one: PlannedCustomer; customer_id: string },
): Promise<void> {
  await documents.keep(past, shop, { customer_id, document_type: 'signature', bytes: signatureOf(one) });
  const clause = { customer_id, text_version: CLAUSE_VERSION, language: one.language };
  await past.transaction(DEMO_ORG, (tx) => sales.sendConsentCode(tx, shop, clause));
  await past.transaction(DEMO_ORG, async (tx: Tx) => {
    const outcome = await sales.collectConsent(tx, shop, { ...clause, otp: inbox.code() }, nothingFollows);
    if (outcome instanceof KistError) throw outcome;
    await countAsDone(tx, 'sms');
  });
}
