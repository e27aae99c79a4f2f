import { SYSTEM } from '#server/identity/identity.ts';
import { idOf } from './dispute-verbs.ts';
import { withLocking } from './with-locking.ts';
import { type Verbs, nounOf, wordsOf } from './verbs.ts';

/** A theft lock is its customer's; the organisation may lift one that they cannot. */
export const theftVerbs: Verbs = {
  lift: {
    says: 'lifts the theft lock of a customer’s phone, with the reason, whose words go when the customer is erased; a lock for money stays',
    takes: ['ORG', 'CUSTOMER'],
    options: { reason: { type: 'string' } },
    teaches: { reason: 'why, and how it is known that the customer has the phone' },
    example: 'kist theft lift 20 01890a5d-ac96-774b-bcce-b302099a8057 --reason "Police handed it over, number is lost"',
    run: (desk, given) => {
      const { orgId } = given;
      const told = { customerId: idOf(given, 'CUSTOMER'), reason: wordsOf(given, 'reason') };
      return withLocking(desk, async (one) => {
        const data = await desk.database.transaction(orgId, (tx) => one.liftTheft(tx, SYSTEM(orgId), told));
        if (data instanceof Error) throw data;
        const left = data.level > 0 ? `other causes hold it at level ${data.level}` : 'nothing else holds it';
        return { data, lines: [`  lifted     ${left}`] };
      });
    },
  },
};

export const theftCommands = nounOf('theft', 'theft locks that their customer cannot lift', theftVerbs);
