/**
 * Bars of the last days, today's in full colour, our own SVG.
 * @param label says the same in words: '14 days, most ₹9,420 on 12-11-2026'.
 */
export function Sparkline(props: { values: readonly number[]; label: string; height?: number }) {
  const { values, label, height = 40 } = props;
  const top = Math.max(1, ...values);
  const step = 100 / Math.max(1, values.length);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      width="100%"
      height={height}
    >
      {values.map((value, place) => {
        const tall = value > 0 ? Math.max(3, (value / top) * height) : 1.5;
        const isLast = place === values.length - 1;
        return (
          <rect
            key={place}
            x={place * step + step * 0.18}
            y={height - tall}
            width={step * 0.64}
            height={tall}
            rx="1"
            fill={isLast ? 'var(--accent-text)' : 'var(--ok)'}
            fillOpacity={value > 0 ? (isLast ? 1 : 0.55) : 0.3}
          />
        );
      })}
    </svg>
  );
}
