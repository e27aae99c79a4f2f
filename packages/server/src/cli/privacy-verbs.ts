import { LANGUAGES, type Language } from '@kist/contract/codes';
import { noteSchema } from '@kist/contract/fields';
import { POLICY_LENGTH } from '@kist/contract/limits';
import { SYSTEM } from '#server/identity/identity.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { UsageError } from './command.ts';
import { told } from './delivered.ts';
import { textOf } from './import.ts';
import { type Verbs, nounOf } from './verbs.ts';

const policyText = noteSchema(1, POLICY_LENGTH);

const languageOf = (word: string): Language => {
  const language = LANGUAGES.find((one) => one === word);
  if (!language) throw new UsageError(`a language is one of ${LANGUAGES.join(', ')}`);
  return language;
};

/** What an organisation promises its customers. */
const privacyVerbs: Verbs = {
  set: {
    says: 'publishes the privacy policy of an organisation in one language, as a version that stays; anybody reads it at /privacy-policy',
    takes: ['ORG', 'LANGUAGE', 'FILE'],
    example: 'kist privacy set 20 hn privacy-hindi.txt',
    async run({ openOperator }, { orgId, words }) {
      const language = languageOf(words['LANGUAGE']!);
      const text = policyText.safeParse(await textOf(words['FILE']!));
      if (!text.success) throw new UsageError(`${words['FILE']} is a text of 1 to ${POLICY_LENGTH} letters`);
      const { set, isSpoken } = await openOperator().transaction(orgId, async (tx) => ({
        set: await organisations.setPrivacyPolicy(tx, SYSTEM(orgId), { language, text: text.data }),
        isSpoken: (await organisations.chosen(tx)).languages.includes(language),
      }));
      const warnings = isSpoken ? [] : [`organisation ${orgId} does not speak ${language}: kist org edit --language`];
      return {
        data: { ...set, warnings },
        lines: [
          `${language} version ${set.version}${set.is_new ? '' : ', as before'}: sha256 ${set.sha256}`,
          ...told(warnings),
        ],
      };
    },
  },
  show: {
    says: 'the privacy policy in one language, or every version of all of them',
    takes: ['ORG', 'LANGUAGE?'],
    example: 'kist privacy show 20 hn',
    async run({ database }, { orgId, words }) {
      if (words['LANGUAGE'] !== undefined) {
        const language = languageOf(words['LANGUAGE']);
        const policy = await database.read(orgId, (tx) => organisations.privacyPolicy(tx, { language }));
        return { data: policy, lines: [policy.text ?? 'The organisation has none: the app shows the product’s.'] };
      }
      const versions = await database.read(orgId, organisations.privacyVersions);
      return {
        data: versions,
        lines:
          versions.length === 0
            ? ['None: the app shows the product’s.']
            : versions.map(
                (one) => `${one.language} version ${one.version}, ${one.set_at.slice(0, 10)}: sha256 ${one.sha256}`,
              ),
      };
    },
  },
};

export const privacyCommands = nounOf(
  'privacy',
  'the privacy policy of an organisation, by language and version',
  privacyVerbs,
);
