/** The postmark illustration: two rings with text around them, and the cancellation waves. */
export function Postmark({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 300 130" fill="none" aria-hidden="true" className={className} stroke="currentColor">
      <circle cx="65" cy="65" r="58" strokeWidth="2.5" />
      <circle cx="65" cy="65" r="38" strokeWidth="1.5" />
      <path id="postmark-ring" d="M65 17a48 48 0 1 1-.1 0" stroke="none" />
      <text fill="currentColor" stroke="none" fontSize="11" fontWeight="600" letterSpacing="2.6" className="font-sans">
        <textPath href="#postmark-ring">PRINTED · PACKED · POSTED ·</textPath>
      </text>
      <text x="65" y="62" textAnchor="middle" fill="currentColor" stroke="none" fontSize="14" fontWeight="600">
        1 DEC
      </text>
      <text x="65" y="80" textAnchor="middle" fill="currentColor" stroke="none" fontSize="14" fontWeight="600">
        06.30
      </text>
      {[30, 48, 66, 84, 102].map((y) => (
        <path key={y} d={`M128 ${y}c14-9 28-9 42 0s28 9 42 0 28-9 42 0 28 9 42 0`} strokeWidth="2.5" />
      ))}
    </svg>
  )
}

/** The illustration of a banded stack of magazines, as it leaves the press. */
export function MagazineStack({ className }: { className: string }) {
  const spines = [
    { y: 150, x: 14, width: 212, fill: 'var(--color-nav-current)' },
    { y: 126, x: 24, width: 204, fill: 'var(--color-accent)' },
    { y: 102, x: 10, width: 210, fill: 'var(--color-tint-sand)' },
    { y: 78, x: 20, width: 208, fill: 'var(--color-primary)' },
    { y: 54, x: 16, width: 206, fill: 'var(--color-tint-leaf)' },
    { y: 30, x: 26, width: 202, fill: 'var(--color-tint-sea)' },
  ]
  return (
    <svg viewBox="0 0 240 186" fill="none" aria-hidden="true" className={className}>
      <path d="M0 176h240" stroke="var(--color-nav-muted)" strokeWidth="2" />
      {spines.map(({ y, x, width, fill }) => (
        <g key={y}>
          <rect x={x} y={y} width={width} height="22" rx="2" fill={fill} />
          <path
            d={`M${x + 12} ${y + 11}h${width * 0.34}`}
            stroke="var(--color-nav)"
            strokeOpacity="0.55"
            strokeWidth="5"
          />
          <path d={`M${x + width - 34} ${y + 11}h20`} stroke="var(--color-nav)" strokeOpacity="0.35" strokeWidth="5" />
        </g>
      ))}
      <path d="M112 28v146M132 28v146" stroke="#fff" strokeOpacity="0.85" strokeWidth="3" />
    </svg>
  )
}
