import { isoDate } from '@kist/contract/dates';
import { paise, rupees, sum } from '@kist/contract/money';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unpaidRow } from '#test/unpaid-row.ts';
import { replay } from './replay.ts';

const instalment = unpaidRow({ no: 1, due_on: isoDate('2026-01-15'), principal_paise: rupees(1000) });

test('what a payment of a version before had paid of a charge that is no more pays something else, to the last paisa', () => {
  const amounts = fc.record({
    principal: fc.integer({ min: 0, max: 1_000_00 }),
    penal: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 500_00 })),
  });
  fc.assert(
    fc.property(amounts, ({ principal, penal }) => {
      const day = isoDate('2026-01-20');
      const kept = {
        payment_id: 'before',
        paid_on: day,
        on: day,
        amount_paise: paise(principal + penal),
        allocations: [
          ...(principal > 0
            ? [{ bucket: 'principal' as const, instalment_no: 1, charge_id: null, paise: paise(principal) }]
            : []),
          { bucket: 'penal' as const, instalment_no: 1, charge_id: 'gone', paise: paise(penal) },
        ],
      };
      const found = replay({ instalments: [instalment], charges: [] }, [], {
        kept: [kept],
        from: isoDate('2026-02-01'),
      });
      const parts = found.payments.flatMap(({ allocations }) => allocations);
      expect(parts.some(({ charge_id }) => charge_id === 'gone')).toBe(false);
      expect(sum(parts.map((part) => part.paise)) + found.advancePaise).toBe(principal + penal);
      expect(found.account.instalments[0]!.paid_principal_paise).toBe(Math.min(1_000_00, principal + penal));
    }),
  );
});
