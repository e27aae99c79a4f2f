/**
 * SHA-256 and AES-256-CBC in plain JavaScript, for pages without WebCrypto: a phone that opens the app over plain http on the shop's Wi-Fi.
 * Only X-EMM-Auth-Session uses it, which shows freshness and is no secret. Loaded on need only; soft-crypto.test.ts compares it with WebCrypto.
 */
type Bytes = Uint8Array<ArrayBuffer>;

function primes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate++)
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  return found;
}
const fraction = (value: number) => ((value - Math.floor(value)) * 2 ** 32) | 0;
/** FIPS 180-4: fractions of the cube roots of the first 64 primes, and of the square roots of the first 8. */
const ROUND = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));
const rotate = (value: number, by: number) => (value >>> by) | (value << (32 - by));

/** @returns the 32 bytes of SHA-256. */
export function sha256(message: Bytes): Bytes {
  const length = Math.ceil((message.length + 9) / 64) * 64;
  const padded = new Uint8Array(length);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 4, message.length * 8);
  const state = new Int32Array(START);
  const words = new Int32Array(64);
  for (let at = 0; at < length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const before = words[i - 15] as number;
      const last = words[i - 2] as number;
      const low = rotate(before, 7) ^ rotate(before, 18) ^ (before >>> 3);
      const high = rotate(last, 17) ^ rotate(last, 19) ^ (last >>> 10);
      words[i] = (words[i - 16] as number) + low + (words[i - 7] as number) + high;
    }
    compress(state, words);
  }
  const out = new Uint8Array(32);
  state.forEach((word, i) => new DataView(out.buffer).setInt32(i * 4, word));
  return out;
}

function compress(state: Int32Array, words: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const first =
      (h +
        (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
        ((e & f) ^ (~e & g)) +
        (ROUND[i] as number) +
        (words[i] as number)) |
      0;
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = (state[i] as number) + word;
  });
}

const double = (value: number) => ((value << 1) ^ (value & 0x80 ? 0x11b : 0)) & 0xff;
/** FIPS 197, 5.1.1: the S-box from powers of the generator 3 and the affine map. */
const SBOX = (() => {
  const box = new Uint8Array(256);
  let p = 1;
  let q = 1;
  do {
    p = p ^ double(p);
    q ^= q << 1;
    q ^= q << 2;
    q ^= q << 4;
    q &= 0xff;
    if (q & 0x80) q ^= 0x09;
    const turn = (by: number) => ((q << by) | (q >> (8 - by))) & 0xff;
    box[p] = q ^ turn(1) ^ turn(2) ^ turn(3) ^ turn(4) ^ 0x63;
  } while (p !== 1);
  box[0] = 0x63;
  return box;
})();
const substitute = (value: number) => SBOX[value] as number;

/** FIPS 197, 5.2 for a 256-bit key: 60 words. */
function expandKey(key: Bytes): Uint8Array {
  const words = new Uint8Array(240);
  words.set(key);
  let constant = 1;
  for (let at = 32; at < 240; at += 4) {
    let word = [...words.subarray(at - 4, at)];
    if (at % 32 === 0) {
      word = [word[1], word[2], word[3], word[0]].map((byte) => substitute(byte as number));
      word[0] = (word[0] as number) ^ constant;
      constant = double(constant);
    } else if (at % 32 === 16) word = word.map(substitute);
    for (let i = 0; i < 4; i++) words[at + i] = (words[at - 32 + i] as number) ^ (word[i] as number);
  }
  return words;
}

const addKey = (block: Uint8Array, key: Uint8Array, round: number) => {
  for (let i = 0; i < 16; i++) block[i] = (block[i] as number) ^ (key[round * 16 + i] as number);
};

function encryptBlock(block: Uint8Array, key: Uint8Array): void {
  addKey(block, key, 0);
  for (let round = 1; round <= 14; round++) {
    const moved = Uint8Array.from({ length: 16 }, (_, i) => substitute(block[(i * 5) % 16] as number));
    block.set(moved);
    if (round < 14) mixColumns(block);
    addKey(block, key, round);
  }
}

function mixColumns(block: Uint8Array): void {
  for (let at = 0; at < 16; at += 4) {
    const [a, b, c, d] = block.subarray(at, at + 4) as unknown as [number, number, number, number];
    const all = a ^ b ^ c ^ d;
    block.set([a ^ all ^ double(a ^ b), b ^ all ^ double(b ^ c), c ^ all ^ double(c ^ d), d ^ all ^ double(d ^ a)], at);
  }
}

/** AES-256-CBC with PKCS#7 padding. @param key 32 bytes. @param iv 16 bytes. */
export function aesCbc(key: Bytes, iv: Bytes, message: Bytes): Bytes {
  const pad = 16 - (message.length % 16);
  const out = new Uint8Array(message.length + pad).fill(pad);
  out.set(message);
  const schedule = expandKey(key);
  let before: Uint8Array = iv;
  for (let at = 0; at < out.length; at += 16) {
    const block = out.subarray(at, at + 16);
    for (let i = 0; i < 16; i++) block[i] = (block[i] as number) ^ (before[i] as number);
    encryptBlock(block, schedule);
    before = block;
  }
  return out;
}
