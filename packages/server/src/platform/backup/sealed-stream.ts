import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { BackupError } from './backup-error.ts';
import { ByteReader } from './byte-reader.ts';

/**
 * A stream under a passphrase: magic, salt, then pieces of at most 64 KiB, each sealed by AES-256-GCM under a key that scrypt makes of passphrase and salt.
 * The number of a piece is its nonce and the last one is marked in it, so that none can be changed, moved, left out or cut off unnoticed.
 */
const MAGIC = Buffer.from('KISTBACKUP1\n');
const SALT_BYTES = 16;
const HEAD_BYTES = MAGIC.length + SALT_BYTES;
const TAG_BYTES = 16;
const PIECE_BYTES = 64 * 1024;
/** 64 MiB and some 150 ms for each guess. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 };

const keyOf = (passphrase: string, salt: Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 32, COST, (error, key) => (error ? reject(error) : resolve(key))),
  );

function nonceOf(piece: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(piece), 3);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

/** @returns the sealed form of a stream, piece by piece */
export async function* sealed(plain: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  const head = Buffer.concat([MAGIC, randomBytes(SALT_BYTES)]);
  const key = await keyOf(passphrase, head.subarray(MAGIC.length));
  yield head;
  const reader = new ByteReader(plain);
  // Which piece is the last shows only when the one after it does not come.
  let piece = await reader.take(PIECE_BYTES);
  for (let number = 0; ; number += 1) {
    const next = piece && (await reader.take(PIECE_BYTES));
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, next === undefined)).setAAD(head);
    const body = Buffer.concat([cipher.update(piece ?? Buffer.alloc(0)), cipher.final(), cipher.getAuthTag()]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    yield Buffer.concat([length, body]);
    if (next === undefined) return;
    piece = next;
  }
}

/**
 * What was sealed. Of a piece that does not fit nothing is given out.
 * @throws BackupError for what is no backup, another passphrase, and whatever was changed, left out or cut off
 */
export async function* opened(source: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  const head = await reader.take(HEAD_BYTES);
  if (head?.length !== HEAD_BYTES || !head.subarray(0, MAGIC.length).equals(MAGIC))
    throw new BackupError('This is no backup of Kist, or one of another format.');
  const key = await keyOf(passphrase, head.subarray(MAGIC.length));
  let isLast = false;
  for (let number = 0; !isLast; number += 1) {
    const body = await sealedPiece(reader);
    const plain = unsealed(key, head, body, nonceOf(number, false));
    isLast = plain === undefined;
    const last = plain ?? unsealed(key, head, body, nonceOf(number, true));
    if (last === undefined)
      throw new BackupError(
        number === 0
          ? 'The backup does not open: another key than it was made with, or its first piece was changed.'
          : `The backup was changed: its piece ${number + 1} is not what was written there.`,
      );
    yield last;
  }
  if ((await reader.take(1)) !== undefined) throw new BackupError('Something was added behind the end of the backup.');
}

async function sealedPiece(reader: ByteReader): Promise<Buffer> {
  const length = await reader.take(4);
  const size = length?.length === 4 ? length.readUInt32BE() : 0;
  if (size > PIECE_BYTES + TAG_BYTES)
    throw new BackupError('The backup was changed: a piece of it has no such length.');
  const body = size >= TAG_BYTES ? await reader.take(size) : undefined;
  if (body?.length !== size || size < TAG_BYTES)
    throw new BackupError('The backup is not whole: its end is missing, or a part of it.');
  return body;
}

function unsealed(key: Buffer, head: Buffer, body: Buffer, nonce: Buffer): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(head).setAuthTag(body.subarray(-TAG_BYTES));
  const plain = decipher.update(body.subarray(0, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined;
  }
}
