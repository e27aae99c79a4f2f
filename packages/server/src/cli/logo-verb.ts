import { LIMITS } from '@kist/contract/limits';
import * as documents from '#server/documents/documents.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import * as organisations from '#server/organisations/organisations.ts';
import type { Pixels } from '#server/platform/picture.ts';
import { readPng } from '#server/platform/png.ts';
import { UsageError } from './command.ts';
import { pictureBytesOf } from './named-file.ts';
import type { Given, Verbs } from './verbs.ts';

/** @throws UsageError for what is no file, too large or too small; KistError for one that is no picture, an SVG among them */
async function pictureOf(file: string | undefined): Promise<Pixels> {
  if (file === undefined) throw new UsageError('kist org logo set ORG FILE: the file is missing');
  const bytes = await documents.createImages().remake('operator', pictureBytesOf(file), 'image/png');
  const pixels = readPng(bytes, LIMITS.imagePixels);
  if (Math.max(pixels.width, pixels.height) < organisations.LEAST_LOGO_PX)
    throw new UsageError(
      `${file} is too small: its longer side has ${Math.ceil(organisations.LEAST_LOGO_PX)} pixels or more`,
    );
  return pixels;
}

const wanted = ({ words }: Given): Promise<Pixels> | null => {
  if (words['WHAT'] === 'set') return pictureOf(words['FILE']);
  if (words['WHAT'] === 'remove' && words['FILE'] === undefined) return null;
  throw new UsageError('kist org logo set ORG FILE, or kist org logo remove ORG');
};

export const logoVerbs: Verbs = {
  logo: {
    says: 'set ORG FILE: its logo (PNG or JPEG, on pages, home screens and before anything has loaded); remove ORG: its initials again',
    takes: ['WHAT', 'ORG', 'FILE?'],
    example: 'kist org logo set 21 asha.png',
    async run(desk, given) {
      const { orgId } = given;
      const picture = await wanted(given);
      const change = await desk
        .openOperator()
        .transaction(orgId, (tx) => organisations.setLogo(tx, SYSTEM(orgId), picture));
      return { data: { org_id: orgId, change }, lines: [`  ${change.padEnd(10)} ${orgId}`] };
    },
  },
};
