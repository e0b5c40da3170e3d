import type { ReactNode } from 'react';

export type Sign = keyof typeof SHAPES;

/** Drawn as SVG, because not every font has these signs. */
export function Mark({ sign }: { readonly sign: Sign }) {
  return (
    <svg
      width="12"
      height="12"
      viewBox="0 0 12 12"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
      focusable="false"
    >
      {SHAPES[sign]}
    </svg>
  );
}

const FILL = { fill: 'currentColor', stroke: 'none' } as const;
const RING = <circle cx="6" cy="6" r="4.25" />;

const SHAPES = {
  '●': <circle cx="6" cy="6" r="4.5" {...FILL} />,
  '○': RING,
  '◐': [RING, <path key="half" d="M6 1.75a4.25 4.25 0 0 0 0 8.5z" {...FILL} />],
  '◔': [RING, <path key="quarter" d="M6 6V1.75A4.25 4.25 0 0 1 10.25 6z" {...FILL} />],
  '◌': <circle cx="6" cy="6" r="4.25" strokeDasharray="2.2 2.2" />,
  '⊘': [RING, <path key="bar" d="M3 9l6-6" />],
  '■': <rect x="2" y="2" width="8" height="8" rx="1" {...FILL} />,
  '▲': <path d="M6 1.5 11 10.5H1z" {...FILL} />,
  '·': <circle cx="6" cy="6" r="1.5" {...FILL} />,
  '✓': <path d="M2 6.5 5 9.5l5-7" />,
  '✗': <path d="M2.5 2.5l7 7M9.5 2.5l-7 7" />,
  '!': <path d="M6 1.5v5.5M6 9v1.5" />,
} as const satisfies Readonly<Record<string, ReactNode>>;
