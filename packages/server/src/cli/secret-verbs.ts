import { presentSecrets } from '#server/config.ts';
import * as documents from '#server/documents/documents.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { createSealer } from '#server/platform/crypto.ts';
import { isKnownRing, notedMarks } from '#server/platform/secret-marks.ts';
import { RefusedError } from './command.ts';
import { type Verbs, nounOf } from './verbs.ts';

export const secretVerbs: Verbs = {
  renew: {
    says: 'seals what opens the kept pictures anew under the first key of KIST_SECRET_KEY, which every process was restarted with; safe while the server runs, and to say again',
    takes: [],
    example: 'kist secrets renew',
    async run({ database, openOperator }) {
      const { keys } = presentSecrets(process.env);
      if (!keys) throw new RefusedError('KIST_SECRET_KEY is missing. Nothing was changed.');
      // Under a key that no server has, nobody would open a picture any more.
      if (!isKnownRing(await notedMarks(database.appPool), keys))
        throw new RefusedError(
          `This installation does not know key ${keys.current} of KIST_SECRET_KEY. Restart all processes with it first: the start notes it. Nothing was changed.`,
        );
      const sealer = createSealer(keys);
      const operator = openOperator();
      const data: ({ org_id: number } & Awaited<ReturnType<typeof documents.renewKeys>>)[] = [];
      for (const org_id of await organisations.everyId(database))
        data.push({ org_id, ...(await documents.renewKeys(operator, org_id, sealer)) });
      return {
        isInOrder: data.every(({ broken }) => broken === 0),
        data: { key: keys.current, organisations: data },
        lines: [
          ...data.map(
            (one) =>
              `${one.org_id}: ${one.renewed} of ${one.looked_at} pictures renewed${one.broken > 0 ? `, ${one.broken} open with no key of KIST_SECRET_KEY` : ''}`,
          ),
          `Every picture that opens is under key ${keys.current}. Keep the older keys: messages and set-up codes of before are sealed with them.`,
        ],
      };
    },
  },
};

export const secretCommands = nounOf('secrets', 'the keys that sealed data stands under', secretVerbs);
