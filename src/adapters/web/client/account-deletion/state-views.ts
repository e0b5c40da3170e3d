import { BASE_PATH } from '#console/api/base-path.ts';
import { type Api, ApiError } from '#console/api/http.ts';
import { accountDeletionWords as words } from '#console/app/words/account-deletion.ts';
import * as sharedWords from '#console/app/words/shared.ts';
import { OWN_REQUEST, type OwnRequest } from './account.ts';
import { button, day, describeError, element, makeForm, minute, type View } from './elements.ts';

export interface Top {
  readonly who: HTMLElement;
  readonly notice: HTMLElement | null;
}

export function pendingView(
  request: OwnRequest,
  { who, notice }: Top,
  { api, onDone }: { readonly api: Api; readonly onDone: (said: string) => void },
): View {
  const isOverdue = Date.parse(request.processBy) < Date.now();
  const form = makeForm({
    submitLabel: words.cancel,
    buttonKind: 'primary',
    async send() {
      await api.call<OwnRequest>(`${OWN_REQUEST}/${request.id}`, {
        method: 'PATCH',
        body: { status: 'cancelled' },
      });
      onDone(words.cancelled);
    },
    explain(error) {
      if (!(error instanceof ApiError) || error.code !== 'conflict') return describeError(error);
      onDone(words.decidedMeanwhile);
      return null;
    },
  });
  return {
    title: words.title,
    content: [
      notice,
      who,
      element('p', {}, words.askedOn, day(request.requestedAt), words.undecided),
      isOverdue
        ? element('p', {}, words.overdue)
        : element('p', {}, words.ifApprovedOn, element('strong', {}, minute(request.processBy)), '.'),
      quote(words.yourReason, request.reason),
      form,
    ],
  };
}

export function approvedView(request: OwnRequest, { who, notice }: Top): View {
  const { processBy, processedAt } = request;
  // A request approved after `processBy` is carried out at once.
  const erasedAt = processedAt !== null && processedAt > processBy ? processedAt : processBy;
  return {
    title: words.title,
    content: [
      notice,
      who,
      processedAt === null ? null : element('p', {}, words.approvedOn, day(processedAt), words.approved),
      element('p', {}, words.willBeErased, element('strong', {}, minute(erasedAt)), '.'),
      quote(words.declinedNote, request.adminNote),
      element('p', { class: 'soft' }, words.untilErased),
    ],
  };
}

export function enrollView({ who, notice }: Top): View {
  return {
    title: words.title,
    content: [
      notice,
      who,
      element(
        'section',
        { class: 'notice info' },
        element('h2', {}, words.factorTitle),
        element('p', {}, words.factorText),
      ),
      element(
        'p',
        {},
        element(
          'a',
          { class: 'primary', href: `${BASE_PATH}/settings/security?next=/account/delete` },
          words.factorLink,
        ),
      ),
      element('p', { class: 'soft' }, words.factorBack),
    ],
  };
}

export function failedView(error: unknown, onRetry: () => void): View {
  return {
    title: words.title,
    content: [
      element('p', {}, words.failed),
      describeError(error),
      button('plain', sharedWords.retry, onRetry),
    ],
  };
}

function quote(label: string, text: string | null): HTMLElement | null {
  if (text === null) return null;
  return element('div', {}, element('p', { class: 'soft' }, label), element('blockquote', {}, `“${text}”`));
}
