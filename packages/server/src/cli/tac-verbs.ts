import * as catalogue from '#server/catalogue/catalogue.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import { CsvError } from '#server/platform/csv.ts';
import { UsageError } from './command.ts';
import { textOf } from './import.ts';
import { type Verbs, nounOf } from './verbs.ts';

export const tacVerbs: Verbs = {
  import: {
    says: 'takes in brand and model by the first eight digits of an IMEI: a CSV file with the columns tac, brand, model; a second time changes nothing',
    takes: ['ORG', 'FILE'],
    options: { 'dry-run': { type: 'boolean' } },
    teaches: { 'dry-run': 'says what would come in, and writes nothing' },
    example: 'kist tac import 21 tac.csv --dry-run',
    async run({ database }, given) {
      const { orgId, words } = given;
      const isDry = given.isSet('dry-run');
      const text = await textOf(words['FILE'] ?? '');
      try {
        const data = await database.transaction(orgId, (tx) =>
          catalogue.importModels(tx, SYSTEM(orgId), text, { isDry }),
        );
        const { rows, created, changed, unchanged, refused } = data;
        const done = isDry ? 'would come in (dry run, nothing was written)' : 'came in';
        return {
          data,
          lines: [
            ...refused.map(({ line, says }) => `line ${line}: ${says}`),
            `${rows} rows: ${created} new and ${changed} renamed ${done}, ${unchanged} were here already, ${refused.length} refused.`,
          ],
          isInOrder: refused.length === 0,
        };
      } catch (error) {
        if (!(error instanceof CsvError)) throw error;
        throw new UsageError(`line ${error.line}: ${error.message}`);
      }
    },
  },
};

export const tacCommands = nounOf('tac', 'what phones are called by their IMEI', tacVerbs);
