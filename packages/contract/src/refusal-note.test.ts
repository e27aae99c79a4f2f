import { expect, it } from 'vitest';
import { deviceEndpoints } from './devices.ts';
import { overrideEndpoints } from './overrides.ts';
import { penaltyEndpoints } from './penalties.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const WORDS = [
  ['an override', overrideEndpoints.decideOverride.body, 'is_agreed', { ask_id: ID }],
  ['an order to many', deviceEndpoints.decideBatch.body, 'is_approved', {}],
  ['a waiver', penaltyEndpoints.decideWaiver.body, 'is_granted', { waiver_id: ID }],
] as const;

it.each(WORDS)(
  'the second person’s no to %s may say why in 3 to 200 characters, and a yes says nothing',
  (...given) => {
    const [, body, yes, of] = given;
    const problems = (isYes: boolean, note?: string) => {
      const read = body.safeParse({ ...of, [yes]: isYes, ...(note !== undefined && { note }) });
      return read.error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];
    };
    for (const note of [undefined, 'She has paid', 'x'.repeat(200)]) expect(problems(false, note)).toEqual([]);
    for (const note of ['', 'no', '  a ']) expect(problems(false, note)).toEqual([['note', 'field.too_short']]);
    expect(problems(false, 'x'.repeat(201))).toEqual([['note', 'field.too_long']]);
    expect([problems(true), problems(true, 'She has paid')]).toEqual([[], [['note', 'field.unknown']]]);
  },
);
