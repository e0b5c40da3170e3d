/** Plain text. Every line that a user typed is marked, so it cannot pass for ours. */
import type { MailBlock, MailContent } from './mail-content.ts';

export function layOutText({ heading, name, blocks, footer }: MailContent): string {
  const parts = [
    heading,
    name === null ? 'Hello,' : `Hello ${name},`,
    ...blocks.map(layOutBlock),
    `-- \n${footer}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function layOutBlock(block: MailBlock): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text;
    case 'facts':
      return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n');
    case 'quote':
      return [`${block.label}:`, ...block.lines.map((line) => `> ${line}`.trimEnd())].join('\n');
    case 'link':
      return `${block.label}:\n${block.url}`;
  }
}
