import { readFileSync, writeFileSync } from 'node:fs';
import { lawFiles } from './lib/law-files.mjs';
import { inRoot } from './lib/root.mjs';

// npm run law: writes what is made from the table in law/law.mjs.
for (const [file, text] of Object.entries(lawFiles(inRoot('.'))))
  if (readFileSync(inRoot(file), 'utf8') !== text) writeFileSync(inRoot(file), text);
