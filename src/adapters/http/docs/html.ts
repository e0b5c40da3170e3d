export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, i) => `${text}${printPart(parts[i] ?? '')}`).join(''));
}

export const NOTHING = new Html('');

function printPart(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Supports only paragraphs and code, because descriptions use nothing else. */
export function prose(text: string): Html {
  return new Html(
    text
      .split('\n\n')
      .map((paragraph) => html`<p>${withCode(paragraph)}</p>`.text)
      .join(''),
  );
}

function withCode(text: string): readonly Html[] {
  return text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
