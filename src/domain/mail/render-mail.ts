/** Renders a mail: its subject, and its body as plain text and as HTML. */
import { layOutHtml } from './html-layout.ts';
import { describeMail } from './mail-wording.ts';
import type { QueuedMail } from './queued-mail.ts';
import { layOutText } from './text-layout.ts';

/** A mail in words. */
export interface RenderedMail {
  /** The recipient's name on one line; null if unknown. */
  readonly name: string | null;
  /** ASCII on one line, with fixed wording only. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Deterministic. `baseUrl` is the service's address for its users, without a trailing slash. */
export function renderMail(mail: QueuedMail, baseUrl: string): RenderedMail {
  const content = describeMail(mail, baseUrl);
  return {
    name: content.name,
    subject: content.subject,
    text: layOutText(content),
    html: layOutHtml(content),
  };
}
