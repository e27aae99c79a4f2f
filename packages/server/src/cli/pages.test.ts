import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from './commands.ts';
import { read } from './verbs.ts';

/** What the pages for operators tell to type, without what a shell does with it afterwards. */
const typed = ['README.md', 'docs/guide.md', 'docs/runbook.md'].flatMap((page) =>
  [
    ...readFileSync(path.join(import.meta.dirname, '../../../..', page), 'utf8').matchAll(/npm run kist -- ([^`\n]+)/g),
  ].map(([, line = '']) => [page, line.split(/ (?:[|>]|&&) /)[0]!.trim()] as const),
);

const wordsOf = (line: string): string[] =>
  (line.replaceAll(/[[\]]/g, '').match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word === 'ORG' ? '20' : word.replaceAll(/["']/g, ''),
  );

test.each(typed)('%s: kist %s', (_page, line) => {
  const [name = '', ...words] = wordsOf(line);
  if (name === 'help') return;
  // Several at once: "org|retailer --help".
  for (const one of name.split('|')) {
    const command = COMMANDS[one];
    expect(command, `kist ${one}`).toBeDefined();
    // A file of an audit belongs to no organisation of this installation.
    const isOfFile = words.some((word) => word.endsWith('.jsonl')) && words[0] === 'verify';
    // A line that cannot be read throws, with what would be right.
    if (command?.verbs && !isOfFile) read(one, command.verbs, words);
  }
});
