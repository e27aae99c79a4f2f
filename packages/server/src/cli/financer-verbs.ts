import { lineNameSchema } from '@kist/contract/fields';
import { INT4_MAX } from '@kist/contract/limits';
import * as catalogue from '#server/catalogue/catalogue.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import { UsageError } from './command.ts';
import { type Given, type Verbs, nounOf } from './verbs.ts';

/** @throws UsageError */
function numberOf({ words }: Given): number {
  const id = /^\d{1,10}$/.test(words['ID'] ?? '') ? Number(words['ID']) : 0;
  if (id < 1 || id > INT4_MAX) throw new UsageError('ID is the number of the financer, e.g. 3');
  return id;
}
/** @throws UsageError */
function nameOf({ words }: Given): string {
  const name = lineNameSchema().safeParse(words['NAME']);
  if (!name.success) throw new UsageError('NAME is what the financer is called, in one line');
  return name.data;
}

export const financerVerbs: Verbs = {
  add: {
    says: 'takes a financer in, or calls it otherwise: shops register sales whose loan it made',
    takes: ['ORG', 'ID', 'NAME'],
    options: { regulated: { type: 'boolean' } },
    teaches: { regulated: 'the Reserve Bank of India regulates it: its loans are signed under rbi-2026 only' },
    example: 'kist financer add 21 3 "Gramin Finance" --regulated',
    async run(desk, given) {
      const row = {
        financer_id: numberOf(given),
        name: nameOf(given),
        is_regulated: given.isSet('regulated'),
        is_active: true,
      };
      const operator = desk.openOperator();
      const isChanged = await operator.transaction(given.orgId, (tx) =>
        catalogue.setFinancer(tx, SYSTEM(given.orgId), row),
      );
      return { data: { ...row, is_changed: isChanged }, lines: [isChanged ? '  changed' : '  unchanged'] };
    },
  },
  end: {
    says: 'no more loans of this financer come in; those of before stay',
    takes: ['ORG', 'ID'],
    example: 'kist financer end 21 3',
    async run(desk, given) {
      const financer_id = numberOf(given);
      const isChanged = await desk.openOperator().transaction(given.orgId, async (tx) => {
        const found = (await catalogue.financers(tx, true)).find((one) => one.financer_id === financer_id);
        if (!found) throw new UsageError(`no financer ${financer_id}`);
        return catalogue.setFinancer(tx, SYSTEM(given.orgId), { ...found, is_active: false });
      });
      return { data: { financer_id, is_changed: isChanged }, lines: [isChanged ? '  ended' : '  unchanged'] };
    },
  },
  list: {
    says: 'the financers',
    takes: ['ORG'],
    example: 'kist financer list 21',
    async run({ database }, { orgId }) {
      const data = await database.read(orgId, (tx) => catalogue.financers(tx, true));
      const lines = data.map(
        (one) =>
          `${String(one.financer_id).padStart(6)}  ${one.name}${one.is_regulated ? ', regulated' : ''}${one.is_active ? '' : ', ended'}`,
      );
      return { data, lines: lines.length > 0 ? lines : ['No financers.'] };
    },
  },
};

export const financerCommands = nounOf('financer', 'who lends the money for phones', financerVerbs);
