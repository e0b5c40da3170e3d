/**
 * The mobile app opens this page too, so the page must not load React or pages of the console (Spec: Web
 * client behaviors; Contract: §14).
 */
import type { User } from '#adapters/http/api-types.ts';
import { ACCOUNT_DELETION_PATH } from '#adapters/web/places.ts';
import { BASE_PATH } from '#console/api/base-path.ts';
import { Api, ApiError, isAway } from '#console/api/http.ts';
import { CAN_USE_PASSKEYS, provePasskey } from '#console/api/passkey-ceremony.ts';
import { watchForReturn } from '#console/api/server-return.ts';
import { Session } from '#console/api/session.ts';
import { sendUnsent } from '#console/api/unsent.ts';
import { followTheme } from '#console/app/stored-preferences.ts';
import { accountDeletionWords as words } from '#console/app/words/account-deletion.ts';
import { signInWords } from '#console/app/words/sign-in.ts';
import { typedCode } from '#console/session/challenge.ts';
import { type Account, loadAccount } from './account.ts';
import {
  button,
  describeError,
  element,
  inform,
  makeField,
  makeForm,
  makeShow,
  showLoading,
  type View,
  waitOf,
} from './elements.ts';
import { requestView } from './request-view.ts';
import { approvedView, enrollView, failedView, pendingView } from './state-views.ts';

/** Loading is shown after this many milliseconds. */
const PENDING_MS = 150;

const SIGN_IN_ADDRESS = `${BASE_PATH}/login?next=${encodeURIComponent(ACCOUNT_DELETION_PATH)}`;

const main = document.querySelector('main');
if (main === null) throw new Error('the page has no main');
const session = new Session();
const api = new Api(session);
const showIn = makeShow(main);
let stopWatching = () => {};
let account: Account | null = null;

followTheme();
session.subscribe(() => {
  if (session.state.kind === 'signed-in') void load();
  else askWhoItIs();
});
document.addEventListener('visibilitychange', () => void catchUp());
void begin();

async function begin(): Promise<void> {
  const slow = setTimeout(() => showLoading(main as HTMLElement), PENDING_MS);
  try {
    await session.begin();
  } catch (error) {
    showFailure(error, () => void begin());
  } finally {
    clearTimeout(slow);
  }
}

function show(view: View): void {
  stopWatching();
  showIn(view);
}

/** While the service is away, retries as soon as it can be reached, like other pages. */
function showFailure(error: unknown, retry: () => void): void {
  const again = () => {
    stopWatching();
    retry();
  };
  show(failedView(error, again));
  if (isAway(error)) stopWatching = watchForReturn(again);
}

function askWhoItIs(): void {
  history.replaceState(null, '', SIGN_IN_ADDRESS);
  show(signInView(session, account !== null));
  account = null;
}

async function load(said: string | null = null): Promise<void> {
  history.replaceState(null, '', `${BASE_PATH}${ACCOUNT_DELETION_PATH}`);
  const slow = setTimeout(() => showLoading(main as HTMLElement), PENDING_MS);
  try {
    account = await loadAccount(api);
    show(viewOf(account, said === null ? null : inform(said)));
  } catch (error) {
    if (session.state.kind === 'signed-in') showFailure(error, () => void load());
  } finally {
    clearTimeout(slow);
  }
}

/** The person may have set up a second factor, or signed out, in another tab. */
async function catchUp(): Promise<void> {
  const shown = account;
  if (document.visibilityState !== 'visible' || shown === null) return;
  const now = await loadAccount(api).catch(() => null);
  if (now === null || account !== shown || stateOf(now) === stateOf(shown)) return;
  account = now;
  show(viewOf(now, null));
}

/** Everything that decides which view the page shows. */
function stateOf({ user, latest }: Account): string {
  return [user.id, user.mfa.enrolled, latest?.id, latest?.status].join();
}

function viewOf(shown: Account, notice: HTMLElement | null): View {
  const { user, latest } = shown;
  const top = { who: whoIs(user), notice };
  if (latest?.status === 'pending') {
    return pendingView(latest, top, { api, onDone: (said) => void load(said) });
  }
  if (latest?.status === 'processing') return approvedView(latest, top);
  // The user has no second factor, and no identity provider has verified one.
  if (!user.mfa.enrolled && user.mfa.verifiedAt === null) return enrollView(top);
  return requestView(shown, {
    ...top,
    api,
    session,
    onRequested: () => void load(words.requested),
    onChanged: () => void load(),
  });
}

function whoIs({ name, email }: User): HTMLElement {
  const signOut = button('link', words.notYou, () => {
    sendUnsent()
      .then(() => session.signOut())
      .catch((error: unknown) => line.append(describeError(error)));
  });
  const line = element(
    'div',
    { class: 'who' },
    element(
      'p',
      {},
      `${words.signedInAs} `,
      element('strong', {}, name),
      name === email ? null : ` (${email})`,
    ),
    signOut,
  );
  return line;
}

function signInView(session: Session, hasEnded: boolean): View {
  const email = makeField({
    name: 'email',
    label: signInWords.email,
    type: 'email',
    autocomplete: 'username',
    isRequired: true,
  });
  const password = makeField({
    name: 'password',
    label: signInWords.password,
    type: 'password',
    autocomplete: 'current-password',
    isRequired: true,
  });
  const code = makeField({
    name: 'code',
    label: signInWords.code,
    hint: signInWords.codeHint,
    autocomplete: 'one-time-code',
    isRequired: true,
  });
  let needsCode = false;
  let usesPasskey = false;
  const form = makeForm(
    {
      submitLabel: signInWords.submit,
      buttonKind: 'primary',
      async send() {
        const byPasskey = usesPasskey;
        usesPasskey = false;
        if (byPasskey) return session.signInByPasskey(await provePasskey());
        await session.signIn(
          email.input.value.trim(),
          password.input.value,
          needsCode ? typedCode(code.input.value) : undefined,
        );
      },
      explain(error) {
        if (error instanceof ApiError && error.code === 'mfa_required' && !needsCode) {
          needsCode = true;
          password.root.after(code.root);
          code.input.focus();
          return null;
        }
        if (error instanceof ApiError && error.status === 429) {
          return describeError(error, words.tooManySignIns(waitOf(error)));
        }
        return describeError(error);
      },
    },
    email.root,
    password.root,
  );
  const passkey = button('link', signInWords.byPasskey, () => {
    usesPasskey = true;
    form.requestSubmit();
  });
  const organization = button('link', signInWords.byOrganization, () => {
    const typed = email.input.value.trim();
    if (typed === '') {
      email.setError(signInWords.emailForOrganization);
      email.input.focus();
      return;
    }
    const query = new URLSearchParams({ email: typed, next: ACCOUNT_DELETION_PATH });
    window.location.assign(`${BASE_PATH}/api/v1/auth/oidc/start?${query}`);
  });
  return {
    title: signInWords.title,
    content: [
      element('p', {}, hasEnded ? words.ended : words.signInFirst),
      form,
      organization,
      CAN_USE_PASSKEYS ? passkey : null,
    ],
    focus: email.input,
  };
}
