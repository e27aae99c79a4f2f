import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GuardBooks } from './books.ts';
import type { GuardDevice, Item } from './books.ts';
import { carryOut } from './items.ts';
import { syncPhone } from './sync.ts';

const START_MS = Date.parse('2026-11-05T05:00:00Z');
const HOUR_MS = 3_600_000;
const PHONES = ['490154203237518', '490154203237526', '490154203237534'] as const;
const serialOf = (imei: string) => `S${imei.slice(-4)}`;

const phone = fc.constantFrom(...PHONES);
const tenant = fc.constantFrom('one', 'two');
/** A record by its place among all there are, so that tenants also name those of others. */
const place = fc.nat({ max: 5 });
const step = fc.oneof(
  fc.record({ do: fc.constantFrom('upload' as const, 'approve' as const), tenant, phone, isBySerial: fc.boolean() }),
  fc.record({ do: fc.constant('target' as const), tenant, place, version: fc.nat({ max: 6 }), locked: fc.boolean() }),
  fc.record({ do: fc.constantFrom('complete' as const, 'undo' as const, 'reminder' as const), tenant, place }),
  fc.record({
    do: fc.constant('sync' as const),
    phone,
    version: fc.nat({ max: 8 }),
    locked: fc.boolean(),
    isFreed: fc.boolean(),
  }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.nat({ max: 60 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Where a record may go from where it is, in one step. */
const WAYS: Record<GuardDevice['state'], GuardDevice['state'][]> = {
  pending: ['pending', 'approved', 'completed'],
  approved: ['approved', 'enrolled', 'completed'],
  enrolled: ['enrolled', 'completed'],
  completed: ['completed', 'removed', 'pending', 'approved', 'enrolled'],
  removed: ['removed'],
};

function itemOf(books: GuardBooks, one: Exclude<Step, { do: 'sync' | 'wait' }>): Item {
  if ('phone' in one)
    return { kind: one.do, ...(one.isBySerial ? { serial: serialOf(one.phone) } : { imei: one.phone }) };
  const device_id = books.kept.devices[one.place]?.device_id ?? 'none';
  if (one.do === 'reminder') return { kind: 'reminder', device_id, at: new Date(START_MS).toISOString() };
  if (!('version' in one)) return { kind: one.do, device_id };
  const { version, locked } = one;
  return { kind: 'target', device_id, target: { version, locked, title: '', message: '', phone_number: '' } };
}

/** Takes one step. @returns whose records it may have touched */
function take(books: GuardBooks, one: Exclude<Step, { do: 'wait' }>, nowMs: number): Set<string> {
  if (one.do !== 'sync') {
    carryOut(books, one.tenant, itemOf(books, one), nowMs);
    return new Set([one.tenant]);
  }
  const { phone: imei, version, locked, isFreed } = one;
  const said = { imei, serial: serialOf(imei), boot: 1, sims: [], applied: { version, locked } };
  const told = new Set<string>();
  const before = books.guarding({ imei, serial: said.serial });
  syncPhone(books, { ...said, ...(isFreed ? { is_freed: true } : {}) }, nowMs, (device) => told.add(device.tenant));
  expect([...told].filter((name) => name !== before?.tenant)).toEqual([]);
  return new Set(before ? [before.tenant] : []);
}

it('whatever tenants and phones do: each phone has one master, records go their way and only forward, nobody moves another’s', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const books = new GuardBooks();
      let nowMs = START_MS;
      for (const one of steps) {
        if (one.do === 'wait') {
          nowMs += one.hours * HOUR_MS;
          continue;
        }
        const before = structuredClone(books.kept.devices);
        const touched = take(books, one, nowMs);
        for (const [index, old] of before.entries()) {
          const now = books.kept.devices[index]!;
          if (!touched.has(old.tenant)) expect(now).toEqual(old);
          expect(WAYS[old.state]).toContain(now.state);
          expect(now.tenant).toBe(old.tenant);
          expect(now.target?.version ?? 0).toBeGreaterThanOrEqual(old.target?.version ?? 0);
          if (now.applied) expect(now.applied.version).toBeLessThanOrEqual(now.target!.version);
          if (old.is_told) expect(['completed', 'removed']).toContain(now.state);
        }
        for (const imei of PHONES) {
          const masters = books.kept.devices.filter((device) => device.imei === imei && isGuarding(device));
          expect(new Set(masters.map((device) => device.tenant)).size).toBeLessThanOrEqual(1);
          expect(masters.length).toBeLessThanOrEqual(1);
        }
      }
    }),
    { numRuns: 300 },
  );
});

/** The cloud holds this very phone: it was switched on under this record. */
const isGuarding = ({ state, last_seen_at }: GuardDevice): boolean => state !== 'removed' && last_seen_at !== null;
