import { layOutHtml } from './html-layout.ts';
import type { MailBlock, MailContent } from './mail-content.ts';
import { describeMail } from './mail-wording.ts';
import type { QueuedMail } from './queued-mail.ts';

export interface RenderedMail {
  readonly name: string | null;
  /** One line of ASCII, fixed wording only. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** `baseUrl` has no trailing slash. */
export function renderMail(mail: QueuedMail, baseUrl: string): RenderedMail {
  const content = describeMail(mail, baseUrl);
  return {
    name: content.name,
    subject: content.subject,
    text: layOutText(content),
    html: layOutHtml(content),
  };
}

/** Puts `>` before every line that a user typed, so that it cannot pass for the service's own text. */
function layOutText({ heading, name, blocks, footer }: MailContent): string {
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
