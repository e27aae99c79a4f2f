import { encode } from 'uqr';

/** Free modules around the code: readers want four (ISO/IEC 18004). */
const QUIET = 4;

/** One path for all dark modules; runs of a row joined. */
function darkPath(rows: readonly (readonly boolean[])[]): string {
  let path = '';
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x++;
      path += `M${start + QUIET} ${y + QUIET}h${x - start + 1}v1h-${x - start + 1}z`;
    }
  });
  return path;
}

/**
 * A QR code, black on white in dark mode too, as large as its place. The lowest correction makes the fewest and largest
 * squares: a lit screen has no dirt to correct. @param label says what it is for.
 */
export function QrCode(props: { text: string; label: string }) {
  const { data, size } = encode(props.text, { ecc: 'L', border: 0 });
  const edge = size + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={props.label}
      data-qr={props.text}
      viewBox={`0 0 ${edge} ${edge}`}
      shapeRendering="crispEdges"
      className="block aspect-square w-full bg-white"
    >
      <path d={darkPath(data)} fill="#000" />
    </svg>
  );
}
