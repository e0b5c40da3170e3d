/** What the page says of what happened. */
import { ApiError } from '#console/api/http.ts';
import { accountDeletionWords as words } from '#console/app/words/account-deletion.ts';
import * as sharedWords from '#console/app/words/shared.ts';
import { element } from './element.ts';

/** Something that was done, or that is to be known. */
export function inform(text: string): HTMLElement {
  return element('div', { class: 'notice success', role: 'status' }, element('p', {}, text));
}

/** An error in words, with the request to name when asking for help. */
export function describeError(error: unknown, message = messageOf(error)): HTMLElement {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return element(
    'div',
    { class: 'notice error', role: 'alert' },
    element('p', {}, message),
    requestId === null
      ? null
      : element('p', { class: 'request' }, element('code', {}, sharedWords.requestId(requestId))),
  );
}

function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.code === 'offline') return sharedWords.offline;
  return error instanceof Error ? error.message : String(error);
}

/** How long to wait where there were too many tries. */
export function waitOf({ retryAfter }: ApiError): string {
  return words.minutes(Math.max(1, Math.ceil((retryAfter ?? 60) / 60)));
}
