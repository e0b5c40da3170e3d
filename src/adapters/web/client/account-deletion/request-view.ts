import type { OwnProvider, User } from '#adapters/http/api-types.ts';
import { ACCOUNT_DELETION_PATH } from '#adapters/web/places.ts';
import { BASE_PATH } from '#console/api/base-path.ts';
import { type Api, ApiError } from '#console/api/http.ts';
import { CAN_USE_PASSKEYS, provePasskey } from '#console/api/passkey-ceremony.ts';
import type { Session } from '#console/api/session.ts';
import { draftKey, keepDraft, readDraft } from '#console/app/drafts.ts';
import { accountDeletionWords as words } from '#console/app/words/account-deletion.ts';
import { signInWords } from '#console/app/words/sign-in.ts';
import { formatNumber } from '#console/parts/display/format.ts';
import { challenge, typedCode } from '#console/session/challenge.ts';
import { MAX_DELETION_TEXT_LENGTH } from '#domain/deletion/deletion-request.ts';
import { countCodePoints } from '#domain/text/code-points.ts';
import { type Account, OWN_REQUEST, type OwnRequest } from './account.ts';
import {
  button,
  day,
  describeError,
  element,
  type Field,
  makeField,
  makeForm,
  type View,
  waitOf,
} from './elements.ts';
import type { Top } from './state-views.ts';

export interface RequestViewDeps extends Top {
  readonly api: Api;
  readonly session: Session;
  readonly onRequested: () => void;
  /** Called when the shown request is out of date. */
  readonly onChanged: () => void;
}

/** If the last MFA verification is older, the form asks for a code. The service may be set to ask sooner. */
const FRESH_MS = 14 * 60_000;

export function requestView({ user, latest, belongsTo, providers }: Account, deps: RequestViewDeps): View {
  const { password, code, reason } = makeFields(user);
  const { passwordless = false } = user;
  // People without a password use a passkey, unless they can sign in at a provider again.
  const needsPasskey = passwordless && providers.length === 0;
  let asksForCode = !passwordless && !isFresh(user);
  let usesPasskey = needsPasskey;

  function showCode(error: string | null) {
    asksForCode = true;
    code.input.value = '';
    code.setError(error);
    if (!code.root.isConnected) password.root.after(code.root);
    code.input.focus();
  }

  async function send() {
    const byPasskey = usesPasskey;
    usesPasskey = needsPasskey;
    const faults = [
      !passwordless && faultIn(password, words.passwordMissing),
      asksForCode && !byPasskey && faultIn(code, words.codeMissing),
      reasonFault(reason),
    ];
    if (faults.some(Boolean)) {
      form.querySelector<HTMLElement>('[aria-invalid]')?.focus();
      return;
    }
    if (asksForCode || byPasskey) {
      await challenge(
        deps.session,
        byPasskey ? { passkey: await provePasskey() } : { code: typedCode(code.input.value) },
      );
      asksForCode = false;
      code.root.remove();
    }
    await deps.api.call<OwnRequest>(OWN_REQUEST, {
      method: 'POST',
      body: { password: password.input.value, reason: reason.input.value },
    });
    keepDraft(draftOf(user), '');
    deps.onRequested();
  }

  function explain(error: unknown): Node | null {
    if (!(error instanceof ApiError)) return describeError(error);
    switch (error.code) {
      case 'invalid_password':
        password.setError(words.passwordWrong);
        password.input.focus();
        return null;
      case 'invalid_mfa_code':
        // If no code was entered, the passkey was refused.
        if (code.input.value === '') return describeError(error);
        showCode(words.codeWrong);
        return null;
      case 'mfa_required':
        if (!user.mfa.enrolled) return describeError(error);
        showCode(words.codeStale);
        return null;
      case 'mfa_enrollment_required':
      case 'deletion_already_approved':
        deps.onChanged();
        return null;
      case 'rate_limited':
        return describeError(error, words.tooMany(waitOf(error)));
      default:
        return describeError(error);
    }
  }

  const form = makeForm(
    { submitLabel: words.submit, buttonKind: 'danger', send, explain },
    passwordless ? passwordlessWays(providers) : password.root,
    asksForCode ? code.root : null,
    reason.root,
  );
  if (CAN_USE_PASSKEYS) {
    const passkeyButton = (label: string) =>
      button('link', label, () => {
        usesPasskey = true;
        code.input.value = '';
        form.requestSubmit();
      });
    code.root.append(passkeyButton(words.byPasskey));
    if (providers.length > 0) form.prepend(passkeyButton(signInWords.usePasskey));
  }
  return {
    title: words.title,
    content: [deps.notice, deps.who, declined(latest), ...consequences(belongsTo), form],
  };
}

function passwordlessWays(providers: readonly OwnProvider[]): HTMLElement {
  if (providers.length === 0) return element('p', {}, words.passwordless);
  const links = providers.map(({ id, name }) => {
    const query = new URLSearchParams({ provider: id, fresh: 'true', next: ACCOUNT_DELETION_PATH });
    const href = `${BASE_PATH}/api/v1/auth/oidc/start?${query}`;
    return element('p', {}, element('a', { href }, signInWords.again(name)));
  });
  return element('div', {}, element('p', {}, words.passwordlessByProvider), ...links);
}

function makeFields(user: User): Readonly<Record<'password' | 'code' | 'reason', Field>> {
  const password = makeField({
    name: 'password',
    label: words.password,
    hint: words.passwordHint,
    type: 'password',
    autocomplete: 'current-password',
    isRequired: true,
  });
  const code = makeField({
    name: 'code',
    label: words.code,
    hint: words.codeHint,
    autocomplete: 'one-time-code',
    isRequired: true,
  });
  const reason = makeField({ name: 'reason', label: words.reason, autocomplete: 'off', isMultiline: true });
  reason.input.value = readDraft(draftOf(user));
  const count = () => reason.setHint(leftOf(reason));
  reason.input.addEventListener('input', () => {
    count();
    keepDraft(draftOf(user), reason.input.value);
  });
  count();
  return { password, code, reason };
}

function draftOf({ id }: User): string {
  return draftKey(id, 'deletion-reason');
}

function faultIn({ input, setError }: Field, missing: string): boolean {
  if (input.value.trim() !== '') return false;
  setError(missing);
  return true;
}

function reasonFault(reason: Field): boolean {
  const over = -charactersLeft(reason);
  if (over <= 0) return false;
  reason.setError(words.reasonTooLong(formatNumber(over)));
  return true;
}

function charactersLeft({ input }: Field): number {
  return MAX_DELETION_TEXT_LENGTH - countCodePoints(input.value.trim());
}

function leftOf(reason: Field): string {
  const left = charactersLeft(reason);
  return left < 0 ? words.reasonTooLong(formatNumber(-left)) : words.reasonHint(formatNumber(left));
}

function isFresh({ mfa: { verifiedAt } }: User): boolean {
  return verifiedAt !== null && Date.now() - Date.parse(verifiedAt) < FRESH_MS;
}

function declined(latest: OwnRequest | null): HTMLElement | null {
  if (latest === null || latest.status !== 'cancelled' || latest.processedAt === null) return null;
  return element(
    'div',
    { class: 'notice info' },
    element(
      'p',
      {},
      words.approvedOn,
      day(latest.processedAt),
      words.declined,
      latest.adminNote === null ? '.' : ':',
    ),
    latest.adminNote === null ? null : element('blockquote', {}, `“${latest.adminNote}”`),
  );
}

function consequences(belongsTo: string | null): readonly HTMLElement[] {
  const whom =
    belongsTo === null ? [words.asksNobodyInParticular] : [words.asks, element('strong', {}, belongsTo)];
  return [
    element(
      'p',
      {},
      ...whom,
      words.toDelete,
      ` ${words.ifApproved}`,
      element('strong', {}, words.period),
      words.untilThen,
    ),
    element('p', { class: 'soft' }, words.erased),
  ];
}
