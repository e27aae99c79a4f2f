/**
 * Walls between the packages that the type checker holds.
 * @type {{ name: string, project: string, file: string, source: string, says: RegExp, also?: [file: string, source: string] }[]}
 */
export const typeFaults = [
  {
    name: 'contract uses node',
    project: 'packages/contract',
    file: 'packages/contract/src/planted-node.ts',
    source: "import { readFileSync } from 'node:fs';\nexport const planted = readFileSync;\n",
    says: /TS(2307|2591|2580)/,
  },
  {
    name: 'contract uses the browser',
    project: 'packages/contract',
    file: 'packages/contract/src/planted-dom.ts',
    source: 'export const planted = document.title;\n',
    says: /TS2584/,
  },
  {
    name: 'server uses the browser',
    project: 'packages/server',
    file: 'packages/server/src/planted-dom.ts',
    source: 'export const planted = document.title;\n',
    says: /TS2584/,
  },
  {
    name: 'web uses node',
    project: 'packages/web',
    file: 'packages/web/src/planted-node.ts',
    source: "import { readFileSync } from 'node:fs';\nexport const planted = readFileSync;\n",
    says: /TS(2307|2591|2580)/,
  },
  {
    name: 'web imports the server by name',
    project: 'packages/web',
    file: 'packages/web/src/planted-name.ts',
    source: "import { planted } from '@kist/server/planted-target';\nexport const taken = planted;\n",
    says: /TS2307/,
    also: ['packages/server/src/planted-target.ts', 'export const planted = 1;\n'],
  },
  {
    name: 'web imports the server by path',
    project: 'packages/web',
    file: 'packages/web/src/planted-path.ts',
    source: "import { planted } from '../../server/src/planted-target.ts';\nexport const taken = planted;\n",
    says: /TS6059/,
    also: ['packages/server/src/planted-target.ts', 'export const planted = 1;\n'],
  },
  {
    name: 'simulator imports the server by name',
    project: 'packages/simulator',
    file: 'packages/simulator/src/planted-name.ts',
    source: "import { planted } from '@kist/server/planted-target';\nexport const taken = planted;\n",
    says: /TS2307/,
    also: ['packages/server/src/planted-target.ts', 'export const planted = 1;\n'],
  },
  {
    name: 'enum (not erasable)',
    project: 'packages/server',
    file: 'packages/server/src/planted-enum.ts',
    source: 'export enum Planted {\n  A,\n}\n',
    says: /TS1294/,
  },
  {
    name: 'e2e with a wrong type',
    project: '.',
    file: 'e2e/planted-type.ts',
    source: "export const planted: number = 'one';\n",
    says: /TS2322/,
  },
];
