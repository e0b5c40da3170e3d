import { useState } from 'react';
import { ApiError } from '#console/api/http.ts';
import { CAN_USE_PASSKEYS, provePasskey } from '#console/api/passkey-ceremony.ts';
import { visitProvider } from '#console/api/provider-sign-in.ts';
import { useServices } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Form, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { typedCode } from './challenge.ts';
import { CodeField } from './code-field.tsx';

export interface SignInFormProps {
  readonly email?: string;
  /** Where to return from an identity provider. */
  readonly next?: string | undefined;
}

/** Has no callback: the session tells its listeners of the sign-in. */
export function SignInForm({ email: known = '', next }: SignInFormProps) {
  const { session } = useServices();
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [lacksEmail, setLacksEmail] = useState(false);
  const { isSending, fault, send } = useSending();

  const submit = () =>
    send(async () => {
      try {
        await session.signIn(email.trim(), password, needsCode ? typedCode(code) : undefined);
      } catch (error) {
        if (needsCode || !(error instanceof ApiError) || error.code !== 'mfa_required') throw error;
        setNeedsCode(true);
      }
    });

  return (
    <Form className="stack" onSubmit={submit}>
      <TextField
        label={words.signIn.email}
        value={email}
        onChange={setEmail}
        type="email"
        autoComplete="username"
        error={lacksEmail && email.trim() === '' ? words.signIn.emailForOrganization : null}
        isRequired
        autoFocus={known === ''}
      />
      <TextField
        label={words.signIn.password}
        value={password}
        onChange={setPassword}
        type="password"
        autoComplete="current-password"
        isRequired
        autoFocus={known !== ''}
      />
      {needsCode && <CodeField value={code} onChange={setCode} />}
      <ErrorNotice error={fault} />
      {fault instanceof ApiError && fault.status === 401 && <p>{words.signIn.lost}</p>}
      <Button kind="primary" type="submit" isPending={isSending}>
        {words.signIn.submit}
      </Button>
      <Button
        kind="quiet"
        isDisabled={isSending}
        onPress={() => {
          setLacksEmail(true);
          if (email.trim() !== '') visitProvider({ email: email.trim(), next });
        }}
      >
        {words.signIn.byOrganization}
      </Button>
      {CAN_USE_PASSKEYS && (
        <Button
          kind="quiet"
          isDisabled={isSending}
          onPress={() => void send(async () => session.signInByPasskey(await provePasskey()))}
        >
          {words.signIn.byPasskey}
        </Button>
      )}
    </Form>
  );
}
