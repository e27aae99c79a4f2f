import { presentSecrets } from '#server/config.ts';
import * as identity from '#server/identity/identity.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import { createSealer } from '#server/platform/crypto.ts';
import { isKnownRing, notedMarks } from '#server/platform/secret-marks.ts';
import { RefusedError, UsageError, orgOf } from './command.ts';
import { mobileOf } from './people-verbs.ts';
import { readSecretFile } from './secret-file.ts';
import type { Desk, Given, Outcome, Verb } from './verbs.ts';

const DEEDS = { set, show, remove, vouch, unlink } as const;

/** @throws UsageError */
function claimOf(given: Given): identity.Claim {
  const claim = given.text('claim') ?? 'email';
  const known = identity.CLAIMS.find((name) => name === claim);
  if (!known) throw new UsageError(`--claim is one of ${identity.CLAIMS.join(', ')}`);
  return known;
}

/** Under the key that the servers have: what is sealed under another one opens nowhere. */
async function sealerOf({ database }: Desk) {
  const { keys } = presentSecrets(process.env);
  if (!keys) throw new RefusedError('KIST_SECRET_KEY is missing. Nothing was changed.');
  if (!isKnownRing(await notedMarks(database.appPool), keys))
    throw new RefusedError(
      `This installation does not know key ${keys.current} of KIST_SECRET_KEY. Start the server with it first. Nothing was changed.`,
    );
  return createSealer(keys);
}

async function set(desk: Desk, orgId: number, given: Given): Promise<Outcome> {
  const file = given.text('secret-file');
  const settings = {
    issuer: given.need('issuer'),
    client_id: given.need('client-id'),
    secret: file === undefined ? undefined : readSecretFile(file),
    claim: claimOf(given),
  };
  const sealer = await sealerOf(desk);
  await desk.openOperator().transaction(orgId, (tx) => identity.setProvider(tx, SYSTEM(orgId), settings, sealer));
  return show(desk, orgId);
}

async function show({ database }: Desk, orgId: number): Promise<Outcome> {
  const shown = await database.read(orgId, identity.providerShown);
  return {
    data: shown ?? null,
    lines: shown
      ? [
          `${shown.issuer} as ${shown.client_id}, ${shown.has_secret ? 'with' : 'without'} a secret`,
          `Who has a verified ${shown.claim} of ours logs in. Register the address of the login page there: https://…/login`,
        ]
      : [`Organisation ${orgId} has no identity provider.`],
  };
}

async function remove(desk: Desk, orgId: number): Promise<Outcome> {
  const isRemoved = await desk.openOperator().transaction(orgId, (tx) => identity.removeProvider(tx, SYSTEM(orgId)));
  return {
    data: { removed: isRemoved },
    lines: [isRemoved ? 'Removed: shops log in by OTP and M-PIN alone.' : 'There was none.'],
    isInOrder: isRemoved,
  };
}

async function vouch({ openOperator }: Desk, orgId: number, given: Given): Promise<Outcome> {
  const { MOBILE } = given.words;
  const email = await openOperator().transaction(orgId, async (tx) => {
    const userId = await identity.personOfMobile(tx, SYSTEM(orgId), mobileOf(MOBILE));
    return userId === undefined ? undefined : identity.vouchForEmail(tx, SYSTEM(orgId), userId);
  });
  return {
    data: { vouched: email ?? null },
    lines: [
      email === undefined
        ? 'No user with an e-mail address has this number.'
        : `Who has ${email} there logs in as this user.`,
    ],
    isInOrder: email !== undefined,
  };
}

async function unlink(desk: Desk, orgId: number, given: Given): Promise<Outcome> {
  const { MOBILE } = given.words;
  const isUnlinked = await desk.openOperator().transaction(orgId, async (tx) => {
    const userId = await identity.personOfMobile(tx, SYSTEM(orgId), mobileOf(MOBILE));
    return userId !== undefined && identity.unlinkProvider(tx, SYSTEM(orgId), userId);
  });
  return {
    data: { unlinked: isUnlinked },
    lines: [isUnlinked ? 'The next login there ties it anew.' : 'No account is tied to this number.'],
    isInOrder: isUnlinked,
  };
}

/** `kist org oidc …`: shops of an organisation log in with its own identity provider. */
export const providerVerb: Verb = {
  says: 'the organisation’s own identity provider (OpenID Connect): set ORG, show ORG, remove ORG, vouch ORG MOBILE, which says that the address at a user is that user’s own, or unlink ORG MOBILE, which lets a user come with another account there',
  takes: ['DEED', 'ORG', 'MOBILE?'],
  options: {
    issuer: { type: 'string' },
    'client-id': { type: 'string' },
    'secret-file': { type: 'string' },
    claim: { type: 'string' },
  },
  teaches: {
    issuer: 'its address, https, as it names itself',
    'client-id': 'as what this installation is registered there',
    'secret-file': 'a file with the secret that was given there; without it a client without a secret',
    claim: 'email (if nothing is said) or phone_number: the verified word of the provider that finds a user',
  },
  example: 'kist org oidc set 21 --issuer https://login.example.in --client-id kist --secret-file oidc-secret',
  async run(desk, given) {
    const { DEED = '', ORG } = given.words;
    if (!Object.hasOwn(DEEDS, DEED)) throw new UsageError(`kist org oidc ${Object.keys(DEEDS).join('|')} ORG`);
    return DEEDS[DEED as keyof typeof DEEDS](desk, orgOf(ORG), given);
  },
};
