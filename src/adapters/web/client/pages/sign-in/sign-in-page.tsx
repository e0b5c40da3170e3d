/** Email and password, then a code where one is needed (Contract: §2, §14). */
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Form } from 'react-aria-components';
import { ACCOUNT_DELETION_PATH } from '#adapters/web/places.ts';
import { ApiError } from '#console/api/http.ts';
import { useServices, useSessionState } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/button.tsx';
import { ErrorNotice } from '#console/parts/notice.tsx';
import { TextField } from '#console/parts/text-field.tsx';
import styles from './sign-in-page.module.css';

export function SignInPage() {
  const { session } = useServices();
  const { next } = useSearch({ from: '/login' });
  const navigate = useNavigate();
  const router = useRouter();
  const state = useSessionState();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const [isSending, setIsSending] = useState(false);

  useEffect(() => {
    document.title = `${words.signIn.title} · ${words.product}`;
    // Somebody who comes back, or has signed in in another tab, need not do so again.
    if (session.state.kind === 'unknown') void session.begin().catch(setFault);
  }, [session]);

  useEffect(() => {
    if (state.kind !== 'signed-in') return;
    if (next === undefined) void navigate({ to: '/', replace: true });
    // A page of its own, which the router does not know.
    else if (next === ACCOUNT_DELETION_PATH) window.location.replace(next);
    else router.history.replace(next);
  }, [state.kind, next, navigate, router]);

  async function submit() {
    setIsSending(true);
    setFault(null);
    try {
      await session.signIn(email.trim(), password, needsCode ? code.trim() : undefined);
    } catch (error) {
      const asksForCode = error instanceof ApiError && error.code === 'mfa_required' && !needsCode;
      if (asksForCode) setNeedsCode(true);
      else setFault(error);
    } finally {
      setIsSending(false);
    }
  }

  return (
    <main className={styles.page}>
      <p className={styles.product}>
        <img src="/icon.svg" alt="" width="24" height="24" /> {words.product}
      </p>
      <h1>{words.signIn.title}</h1>
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label={words.signIn.email}
          value={email}
          onChange={setEmail}
          type="email"
          autoComplete="username"
          isRequired
          autoFocus
        />
        <TextField
          label={words.signIn.password}
          value={password}
          onChange={setPassword}
          type="password"
          autoComplete="current-password"
          isRequired
        />
        {needsCode && (
          <TextField
            label={words.signIn.code}
            value={code}
            onChange={setCode}
            autoComplete="one-time-code"
            hint={words.signIn.codeHint}
            isRequired
            autoFocus
          />
        )}
        <ErrorNotice error={fault} />
        <Button kind="primary" type="submit" isPending={isSending}>
          {words.signIn.submit}
        </Button>
      </Form>
    </main>
  );
}
