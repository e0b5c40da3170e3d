import { layOutHtml } from './html-layout.ts';
import { describeMail } from './mail-wording.ts';
import type { QueuedMail } from './queued-mail.ts';
import { layOutText } from './text-layout.ts';

/** A mail as text and HTML. */
export interface RenderedMail {
  /** On one line; null if unknown. */
  readonly name: string | null;
  /** ASCII on one line, fixed wording only. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Deterministic. `baseUrl` has no trailing slash. */
export function renderMail(mail: QueuedMail, baseUrl: string): RenderedMail {
  const content = describeMail(mail, baseUrl);
  return {
    name: content.name,
    subject: content.subject,
    text: layOutText(content),
    html: layOutHtml(content),
  };
}
