import { type Der, readAll, readSingle } from './der.ts';

/**
 * What the keystore of an Android phone says of a key it made (KeyDescription, https://source.android.com/docs/security/features/keystore/attestation):
 * signed by the secure part of the phone, not by its apps.
 */
export interface KeyRecord {
  /** Of the statement and of the key: 0 software, 1 a trusted environment, 2 a chip of its own. */
  attestedBy: number;
  keptBy: number;
  /** What the app was given to have the key made for. */
  challenge: Buffer;
  /** Made there, not brought. */
  isGenerated: boolean;
  /** Null where the secure part says nothing of the system that started. */
  boot: { isLocked: boolean; isVerified: boolean } | null;
  /** The app that asked, and the SHA-256 of what it is signed with. */
  packages: string[];
  signers: Buffer[];
  /** Numbers of the phone, where the app asked for them. */
  imeis: string[];
}

/** 1.3.6.1.4.1.11129.2.1.17 */
const KEY_DESCRIPTION = '2b06010401d679020111';
/** Of Android's authorization list. */
const TAGS = { origin: 702, rootOfTrust: 704, application: 709, imei: 714, secondImei: 723 } as const;
const GENERATED = 0;
const VERIFIED = 0;
/** Extensions stand there in a certificate (RFC 5280, 4.1). */
const EXTENSIONS = 3;
const CONTEXT = 2;

const numberIn = ({ body }: Der): number => body.reduce((sum, byte) => sum * 256 + byte, 0);
const textIn = ({ body }: Der): string => body.toString('utf8');

/** @param certificate DER. @returns undefined when it has none. @throws RangeError where it is not as it should be */
export function recordOf(certificate: Buffer): KeyRecord | undefined {
  const described = extension(certificate);
  if (!described) return undefined;
  const [, attestedBy, , keptBy, challenge, , software, hardware] = readAll(readSingle(described).body);
  if (!attestedBy || !keptBy || !challenge || !software || !hardware)
    throw new RangeError('a record without its parts');
  const [said, proven] = [listOf(software), listOf(hardware)];
  const application = said.get(TAGS.application);
  const origin = proven.get(TAGS.origin);
  return {
    attestedBy: numberIn(attestedBy),
    keptBy: numberIn(keptBy),
    challenge: challenge.body,
    isGenerated: origin !== undefined && numberIn(origin) === GENERATED,
    boot: bootOf(proven.get(TAGS.rootOfTrust)),
    ...appOf(application),
    imeis: [TAGS.imei, TAGS.secondImei].flatMap((tag) => {
      const found = proven.get(tag);
      return found ? [textIn(found)] : [];
    }),
  };
}

function extension(certificate: Buffer): Buffer | undefined {
  const [content] = readAll(readSingle(certificate).body);
  const list = content && readAll(content.body).find(({ kind, tag }) => kind === CONTEXT && tag === EXTENSIONS);
  for (const one of list ? readAll(readSingle(list.body).body) : []) {
    const [name, ...rest] = readAll(one.body);
    if (name?.body.toString('hex') === KEY_DESCRIPTION) return rest.at(-1)?.body;
  }
  return undefined;
}

/** An authorization list: each value behind a number. @throws RangeError where they do not rise: no keystore writes it so */
function listOf({ body }: Der): Map<number, Der> {
  const list = new Map<number, Der>();
  let last = 0;
  for (const { tag, body: held } of readAll(body)) {
    if (tag <= last) throw new RangeError(`out of order in a list: ${tag}`);
    last = tag;
    list.set(tag, readSingle(held));
  }
  return list;
}

function bootOf(rootOfTrust: Der | undefined): KeyRecord['boot'] {
  if (!rootOfTrust) return null;
  const [, locked, state] = readAll(rootOfTrust.body);
  if (!locked || !state) throw new RangeError('a root of trust without its parts');
  return { isLocked: numberIn(locked) !== 0, isVerified: numberIn(state) === VERIFIED };
}

/** A list of its own inside an octet string. */
function appOf(application: Der | undefined): Pick<KeyRecord, 'packages' | 'signers'> {
  if (!application) return { packages: [], signers: [] };
  const [packages, signers] = readAll(readSingle(application.body).body);
  if (!packages || !signers) throw new RangeError('an application without its parts');
  return {
    packages: readAll(packages.body).map(({ body }) => {
      const [name] = readAll(body);
      return name ? textIn(name) : '';
    }),
    signers: readAll(signers.body).map(({ body }) => body),
  };
}
