import { SYSTEM } from '#server/identity/identity.ts';
import * as notices from '#server/notices/notices.ts';
import { UsageError } from './command.ts';
import { jsonOf } from './named-file.ts';
import { withLocking } from './with-locking.ts';
import { type Verbs, nounOf } from './verbs.ts';

/** @throws UsageError */
function textsOf(file: string): Record<string, unknown> {
  const value = jsonOf(file);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new UsageError(`${file} holds no texts by language, like {"en": "…", "hn": "…"}`);
}

/** What shops may show on a customer's screen besides the house's own words. */
const templateVerbs: Verbs = {
  add: {
    says: 'words that shops may choose for a customer’s wallpaper, in all ten languages; values are filled in',
    takes: ['ORG', 'NAME', 'FILE'],
    example: 'kist template add 20 festival festival.json',
    async run(desk, { orgId, words }) {
      const given = { name: words['NAME'] ?? '', texts: textsOf(words['FILE'] ?? '-') };
      const operator = desk.openOperator();
      const data = await operator.transaction(orgId, (tx) => notices.addTemplate(tx, SYSTEM(orgId), given));
      return { data, lines: [`  ${data.name}  can be chosen: set_wallpaper with value "${data.name}"`] };
    },
  },
  list: {
    says: 'what shops may choose, and what they could choose before',
    takes: ['ORG'],
    example: 'kist template list 20',
    async run({ database }, { orgId }) {
      const data = await database.read(orgId, (tx) => notices.templates(tx));
      const lines = data.map(({ name, texts, added_at, ended_at }) => {
        const until = ended_at === null ? 'in use' : `ended ${ended_at.toISOString().slice(0, 10)}`;
        return `  ${name}  since ${added_at.toISOString().slice(0, 10)}, ${until}: ${texts.en}`;
      });
      return { data, lines: lines.length > 0 ? lines : ['  none: the house’s own words are all there is'] };
    },
  },
  end: {
    says: 'nobody chooses it any more; phones that show it get the house’s own words',
    takes: ['ORG', 'NAME'],
    example: 'kist template end 20 festival',
    run: (desk, { orgId, words }) =>
      withLocking(desk, async (locking) => {
        const named = { name: words['NAME'] ?? '' };
        const data = await desk.database.transaction(orgId, (tx) => locking.endTemplate(tx, SYSTEM(orgId), named));
        return { data, lines: [`  ${data.name}  ended; phones that showed it: ${data.phones}`] };
      }),
  },
};

export const templateCommands = nounOf('template', 'words for customers’ screens', templateVerbs);
