/** GF(256) of QR codes (ISO/IEC 18004): x⁸ + x⁴ + x³ + x² + 1. */
const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
  EXP[power] = value;
  EXP[power + 255] = value;
  LOG[value] = power;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}

const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : EXP[LOG[a]! + LOG[b]!]!);
const inverse = (a: number): number => EXP[255 - LOG[a]!]!;
/** Value of a polynomial, highest power first. */
const valueAt = (poly: ArrayLike<number>, x: number): number =>
  Array.from(poly).reduce((sum, coefficient) => times(sum, x) ^ coefficient, 0);

/**
 * Corrects a Reed–Solomon block in place (Berlekamp–Massey, Chien, Forney).
 * @param block data then `eccLength` check bytes
 * @returns false when there are more errors than the check bytes can mend
 */
export function correctBlock(block: Uint8Array, eccLength: number): boolean {
  const syndromes = Array.from({ length: eccLength }, (_, power) => valueAt(block, EXP[power]!));
  if (syndromes.every((value) => value === 0)) return true;
  const locator = errorLocator(syndromes);
  const errors = locator.length - 1;
  if (errors * 2 > eccLength) return false;
  const places: number[] = [];
  for (let place = 0; place < block.length; place += 1) {
    // Root X⁻¹ of the locator: an error at power `place`, counted from the end.
    if (valueAt(locator.toReversed(), EXP[(255 - (place % 255)) % 255]!) === 0) places.push(place);
  }
  if (places.length !== errors) return false;
  const evaluator = syndromes.map((_, degree) =>
    locator.slice(0, degree + 1).reduce((sum, value, index) => sum ^ times(value, syndromes[degree - index]!), 0),
  );
  for (const place of places) {
    const root = EXP[(255 - (place % 255)) % 255]!;
    const slope = locator.reduce(
      (sum, value, index) => (index % 2 === 1 ? sum ^ times(value, power(root, index - 1)) : sum),
      0,
    );
    if (slope === 0) return false;
    // Forney with first consecutive root α⁰: magnitude = X · Ω(X⁻¹) / Λ'(X⁻¹).
    const magnitude = times(times(inverse(root), valueAt(evaluator.toReversed(), root)), inverse(slope));
    const index = block.length - 1 - place;
    block[index] = block[index]! ^ magnitude;
  }
  return Array.from({ length: eccLength }, (_, exponent) => valueAt(block, EXP[exponent]!)).every(
    (value) => value === 0,
  );
}

const power = (base: number, exponent: number): number =>
  exponent === 0 ? 1 : base === 0 ? 0 : EXP[(LOG[base]! * exponent) % 255]!;

/** @returns the error locator, lowest power first (Berlekamp–Massey). */
function errorLocator(syndromes: number[]): number[] {
  let current = [1];
  let previous = [1];
  let length = 0;
  let gap = 1;
  let previousDelta = 1;
  for (const [step, syndrome] of syndromes.entries()) {
    let delta = syndrome;
    for (let index = 1; index <= length; index += 1) delta ^= times(current[index] ?? 0, syndromes[step - index]!);
    if (delta === 0) {
      gap += 1;
      continue;
    }
    const factor = times(delta, inverse(previousDelta));
    const next = [...current];
    for (const [index, value] of previous.entries())
      next[index + gap] = (next[index + gap] ?? 0) ^ times(factor, value);
    for (let index = 0; index < next.length; index += 1) next[index] ??= 0;
    if (2 * length <= step) {
      length = step + 1 - length;
      previous = current;
      previousDelta = delta;
      gap = 1;
    } else gap += 1;
    current = next;
  }
  while (current.at(-1) === 0) current.pop();
  return current;
}
