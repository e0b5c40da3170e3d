/** What the page shows at a time. */
import { accountDeletionWords as words } from '#console/app/words/account-deletion.ts';
import * as sharedWords from '#console/app/words/shared.ts';
import { type Child, element } from './element.ts';

export interface View {
  /** The one h1, which the browser's tab is named after. */
  readonly title: string;
  readonly content: readonly Child[];
  /** Where the keyboard goes on; absent: at the heading. */
  readonly focus?: HTMLElement;
}

/** Shows a view instead of what was there. */
export function makeShow(main: HTMLElement): (view: View) => void {
  let isFirst = true;
  return ({ title, content, focus }) => {
    const heading = element('h1', { tabindex: '-1' }, title);
    document.title = `${title} · ${sharedWords.product}`;
    main.replaceChildren(heading, ...content.filter((child) => child !== null));
    main.removeAttribute('aria-busy');
    if (focus !== undefined) focus.focus();
    else if (!isFirst) heading.focus();
    isFirst = false;
  };
}

/** What has the shape of the page while it is loaded; nothing for what takes a moment. */
export function showLoading(main: HTMLElement): void {
  const line = (width: string) => element('div', { class: `bone ${width}` });
  main.setAttribute('aria-busy', 'true');
  main.replaceChildren(
    element('h1', {}, words.title),
    element(
      'div',
      { class: 'skeleton' },
      element('p', { class: 'visually-hidden', role: 'status' }, sharedWords.loading),
      line('short'),
      line('long'),
      line('long'),
      line('field-shape'),
      line('field-shape'),
    ),
  );
}
