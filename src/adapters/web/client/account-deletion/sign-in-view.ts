/** Asks for who it is, without the rest of the console (Contract: §2, §14). */
import { ApiError } from '#console/api/http.ts';
import type { Session } from '#console/api/session.ts';
import { accountDeletionWords as words } from '#console/app/words/account-deletion.ts';
import { signInWords } from '#console/app/words/sign-in.ts';
import { typedCode } from '#console/session/typed-code.ts';
import { element } from './element.ts';
import { makeField } from './field.ts';
import { makeForm } from './form.ts';
import { describeError, waitOf } from './notices.ts';
import type { View } from './view.ts';

/** The session tells when somebody has signed in. */
export function signInView(session: Session, hasEnded: boolean): View {
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
  const form = makeForm(
    {
      submitLabel: signInWords.submit,
      buttonKind: 'primary',
      async send() {
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
  return {
    title: signInWords.title,
    content: [element('p', {}, hasEnded ? words.ended : words.signInFirst), form],
    focus: email.input,
  };
}
