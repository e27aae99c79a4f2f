/**
 * The two forms of an ECDSA P-256 signature. The wire carries r and s side by side (IEEE P1363, RFC 9421 section 3.3.4), the crypto library's own form is
 * DER (SEC 1, appendix C.8). Naming the other form in an options object costs some 20 µs a signature; these few bytes cost next to nothing. The figure
 * "check-in" (docs/benchmarks.md) needs it: a check-in is one signature proved and one made, in less than the 200 µs that 5,000 a second leave.
 */
const HALF = 32;
const SEQUENCE = 0x30;
const INTEGER = 0x02;

/** @returns the DER form; undefined when it is not 64 bytes */
export function derOf(signature: Buffer): Buffer | undefined {
  if (signature.length !== 2 * HALF) return undefined;
  const r = integerOf(signature.subarray(0, HALF));
  const s = integerOf(signature.subarray(HALF));
  return Buffer.concat([Buffer.from([SEQUENCE, r.length + s.length]), r, s]);
}

/** An INTEGER is as short as it can be, and a zero stands before a first bit that is set: it would mean a negative one. */
function integerOf(half: Buffer): Buffer {
  let from = 0;
  while (from < HALF - 1 && half[from] === 0) from += 1;
  const isHigh = (half[from] ?? 0) >= 0x80;
  const digits = half.subarray(from);
  return Buffer.concat([
    isHigh ? Buffer.from([INTEGER, digits.length + 1, 0]) : Buffer.from([INTEGER, digits.length]),
    digits,
  ]);
}

/** @param der a signature that the crypto library made, hence well-formed @returns r and s, 32 bytes each */
export function sideBySide(der: Buffer): Buffer {
  const out = Buffer.alloc(2 * HALF);
  const rLength = der[3] ?? 0;
  place(der.subarray(4, 4 + rLength), out, HALF);
  place(der.subarray(6 + rLength), out, 2 * HALF);
  return out;
}

/** Right-aligned, the sign's zero left off. */
function place(integer: Buffer, out: Buffer, end: number): void {
  const digits = integer.length > HALF ? integer.subarray(integer.length - HALF) : integer;
  digits.copy(out, end - digits.length);
}
