/** Requests a reset link by email. Opened through that link, the page sets a new password (Contract: §16). */
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '#console/api/http.ts';
import { confirmPasswordReset, requestPasswordReset } from '#console/api/links.ts';
import { CAN_USE_PASSKEYS, provePasskey } from '#console/api/passkey-ceremony.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { Form, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { LonePage } from '#console/parts/layout/lone-page.tsx';
import { typedCode } from '#console/session/challenge.ts';
import { CodeField } from '#console/session/code-field.tsx';
import { NewPasswordField, passwordFault } from './new-password-field.tsx';
import { useLinkToken } from './use-link-token.ts';

export function ResetPasswordPage() {
  const token = useLinkToken();
  return token === '' ? <RequestPage /> : <ConfirmPage key={token} token={token} />;
}

function RequestPage() {
  const [email, setEmail] = useState('');
  const [isSent, setIsSent] = useState(false);
  const { isSending, fault, send } = useSending();
  const submit = () =>
    send(async () => {
      await requestPasswordReset(email.trim());
      setIsSent(true);
    });

  return (
    <LonePage title={words.links.forgotTitle}>
      {isSent ? (
        <Notice kind="success">{words.links.sent}</Notice>
      ) : (
        <Form className="stack" onSubmit={submit}>
          <p>{words.links.forgotText}</p>
          <TextField
            label={words.signIn.email}
            value={email}
            onChange={setEmail}
            type="email"
            autoComplete="username"
            isRequired
            autoFocus
          />
          <ErrorNotice error={fault} />
          <Button kind="primary" type="submit" isPending={isSending}>
            {words.links.send}
          </Button>
        </Form>
      )}
      <p>
        <Link to="/login">{words.links.back}</Link>
      </p>
    </LonePage>
  );
}

function ConfirmPage({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const [needsFactor, setNeedsFactor] = useState(false);
  const { isSending, fault, send } = useSending();
  async function confirm(prove: () => Promise<{ readonly code?: string; readonly passkey?: unknown }>) {
    setIsChecked(true);
    if (passwordFault(password) !== null) return;
    await send(async () => {
      try {
        await confirmPasswordReset(token, password, await prove());
      } catch (error) {
        if (needsFactor || !(error instanceof ApiError) || error.code !== 'mfa_required') throw error;
        setNeedsFactor(true);
        return;
      }
      await navigate({ to: '/login', replace: true, state: { passwordSetFor: '' } });
    });
  }

  const isDead = fault instanceof ApiError && fault.code === 'link_invalid';

  return (
    <LonePage title={words.links.setTitle}>
      <Form
        className="stack"
        onSubmit={() => confirm(async () => (needsFactor ? { code: typedCode(code) } : {}))}
      >
        <NewPasswordField value={password} onChange={setPassword} isChecked={isChecked} autoFocus />
        {needsFactor && <CodeField value={code} onChange={setCode} />}
        <ErrorNotice error={fault} />
        {isDead && (
          <p>
            <Link to="/reset-password">{words.links.another}</Link>
          </p>
        )}
        <Button kind="primary" type="submit" isPending={isSending}>
          {words.links.set}
        </Button>
        {needsFactor && CAN_USE_PASSKEYS && (
          <Button
            kind="quiet"
            isDisabled={isSending}
            onPress={() => void confirm(async () => ({ passkey: await provePasskey() }))}
          >
            {words.links.setByPasskey}
          </Button>
        )}
      </Form>
    </LonePage>
  );
}
