/** A mail in words: its subject, and its body twice, as plain text and as HTML. */
import { describeMail } from './describe-mail.ts';
import { layOutHtml } from './html-layout.ts';
import type { QueuedMail } from './queued-mail.ts';
import { layOutText } from './text-layout.ts';

export interface RenderedMail {
  /** Of its reader, on one line; null where not known. */
  readonly name: string | null;
  /** ASCII, one line, words of ours alone. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** `baseUrl` is where the service is found by its users, without a slash at its end. The same every time. */
export function renderMail(mail: QueuedMail, baseUrl: string): RenderedMail {
  const content = describeMail(mail, baseUrl);
  return {
    name: content.name,
    subject: content.subject,
    text: layOutText(content),
    html: layOutHtml(content),
  };
}
