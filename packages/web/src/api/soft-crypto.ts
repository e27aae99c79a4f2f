/**
 * SHA-256 and AES-256-CBC without WebCrypto, for a phone that opens the app over plain http on the shop's Wi-Fi.
 * Only X-EMM-Auth-Session uses it, which shows freshness and is no secret. Loaded on need only: the first page does not carry it.
 */
import { cbc } from '@noble/ciphers/aes.js';
import { sha256 } from '@noble/hashes/sha2.js';

export { sha256 };

/** AES-256-CBC with PKCS#7 padding. @param key 32 bytes. @param iv 16 bytes. */
export const aesCbc = (key: Uint8Array, iv: Uint8Array, message: Uint8Array): Uint8Array =>
  cbc(key, iv).encrypt(message);
