/**
 * Lays out a mail for Outlook (tables and inline styles), phones (one column), programs that block images (it
 * has none) and screen readers. Escapes all text.
 */
import { escapeHtml, type MailBlock, type MailContent } from './mail-content.ts';

export function layOutHtml({ subject, heading, name, blocks, footer }: MailContent): string {
  const greeting = name === null ? 'Hello,' : `Hello ${name},`;
  return `<!DOCTYPE html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background-color:#eef1f5;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#eef1f5;">
<tr><td align="center" style="padding:24px 12px;">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background-color:#ffffff;border:1px solid #d5dbe3;border-radius:8px;">
<tr><td style="padding:32px 28px 12px;${FONT}">
<h1 style="margin:0 0 20px;font-size:22px;line-height:1.3;font-weight:bold;color:#12263f;">${escapeHtml(heading)}</h1>
${[paragraph(greeting), ...blocks.map(layOutBlock)].join('\n')}
</td></tr>
<tr><td style="padding:16px 28px 24px;border-top:1px solid #d5dbe3;${FONT}">
<p style="margin:0;font-size:13px;line-height:1.5;color:#55657a;word-break:break-word;">${escapeHtml(footer)}</p>
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`;
}

const FONT = `font-family:'Segoe UI',Helvetica,Arial,sans-serif;`;
const BODY_TEXT = 'font-size:16px;line-height:1.5;color:#1f2d3d;word-break:break-word;';

function layOutBlock(block: MailBlock): string {
  switch (block.kind) {
    case 'paragraph':
      return paragraph(block.text);
    case 'facts':
      return facts(block.rows);
    case 'quote':
      return `<p style="margin:0 0 6px;${BODY_TEXT}"><strong>${escapeHtml(block.label)}:</strong></p>
<blockquote dir="auto" style="margin:0 0 20px;padding:10px 14px;border-left:4px solid #b6c2d1;background-color:#f6f8fa;${BODY_TEXT}">${block.lines.map(escapeHtml).join('<br>')}</blockquote>`;
    case 'link':
      return link(block.label, block.url);
  }
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px;${BODY_TEXT}">${escapeHtml(text)}</p>`;
}

function facts(rows: readonly (readonly [string, string])[]): string {
  const cells = rows.map(
    ([label, value]) =>
      `<tr><th scope="row" align="left" valign="top" style="padding:4px 16px 4px 0;font-size:14px;line-height:1.5;font-weight:normal;color:#55657a;">${escapeHtml(label)}</th><td valign="top" style="padding:4px 0;font-size:14px;line-height:1.5;color:#1f2d3d;word-break:break-word;"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
  );
  return `<table cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px;">
${cells.join('\n')}
</table>`;
}

/** Outlook ignores a link's background, so the cell has the color. */
function link(label: string, url: string): string {
  const href = escapeHtml(url);
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 12px;"><tr><td align="center" bgcolor="#1250aa" style="border-radius:6px;background-color:#1250aa;mso-padding-alt:12px 22px;"><a href="${href}" style="display:inline-block;padding:12px 22px;font-size:16px;line-height:1.25;font-weight:bold;color:#ffffff;text-decoration:none;">${escapeHtml(label)}</a></td></tr></table>
<p style="margin:0 0 20px;font-size:13px;line-height:1.5;color:#55657a;word-break:break-all;">Or open this address: <a href="${href}" style="color:#1250aa;">${href}</a></p>`;
}
