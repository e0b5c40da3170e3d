/** Sets up a second factor: password, then app and code, then recovery codes (Contract: §2). */

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Enrollment } from '#adapters/http/api-types.ts';
import { confirmEnrollment, sessionsQuery, startEnrollment } from '#console/api/account/account.ts';
import { useServices } from '#console/app/services.ts';
import { userQuery } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import form from '#console/pages/settings/form.module.css';
import { useSending } from '#console/pages/settings/use-sending.ts';
import { CopyButton } from '#console/parts/actions/copy-button.tsx';
import { SubmitActions } from '#console/parts/actions/submit-actions.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Form } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { Dialog } from '#console/parts/layout/dialog.tsx';
import { typedCode } from '#console/session/typed-code.ts';
import styles from './enrollment-dialog.module.css';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const said = words.settings.security;

type Step =
  | { readonly kind: 'password' }
  | { readonly kind: 'offer'; readonly offer: Enrollment }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

export interface EnrollmentDialogProps {
  /** Whether it takes the place of one. */
  readonly replaces: boolean;
  readonly onClose: (isDone: boolean) => void;
}

export function EnrollmentDialog({ replaces, onClose }: EnrollmentDialogProps) {
  const { api, session } = useServices();
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>({ kind: 'password' });
  const [areCodesComing, setAreCodesComing] = useState(false);

  async function confirm(code: string) {
    setAreCodesComing(true);
    try {
      setStep({ kind: 'codes', codes: await confirmEnrollment(api, code) });
    } finally {
      setAreCodesComing(false);
    }
    // The session is verified now; its next token says so. Another sign-in or step-up would, too.
    await session.renew().catch(() => undefined);
    await queries.invalidateQueries({ queryKey: userQuery(api).queryKey });
    await queries.invalidateQueries({ queryKey: sessionsQuery(api).queryKey });
  }

  const title = step.kind === 'codes' ? said.codesTitle : replaces ? said.replaceTitle : said.setUp;
  return (
    <Dialog
      title={title}
      isOpen
      isPersistent={step.kind === 'offer'}
      isShownOnce={areCodesComing || step.kind === 'codes'}
      width={520}
      onClose={() => onClose(step.kind === 'codes')}
    >
      {step.kind === 'password' && (
        <PasswordStep
          onPassword={async (password) =>
            setStep({ kind: 'offer', offer: await startEnrollment(api, password) })
          }
          onCancel={() => onClose(false)}
        />
      )}
      {step.kind === 'offer' && (
        <OfferStep offer={step.offer} onCode={confirm} onCancel={() => onClose(false)} />
      )}
      {step.kind === 'codes' && <RecoveryCodes codes={step.codes} onKept={() => onClose(true)} />}
    </Dialog>
  );
}

interface PasswordStepProps {
  readonly onPassword: (password: string) => Promise<void>;
  readonly onCancel: () => void;
}

function PasswordStep({ onPassword, onCancel }: PasswordStepProps) {
  const [password, setPassword] = useState('');
  const { isSending, fault, send } = useSending();
  return (
    <Form className={form.form} onSubmit={() => send(() => onPassword(password))}>
      <p>{said.passwordText}</p>
      <TextField
        label={said.password}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        isRequired
        autoFocus
      />
      <ErrorNotice error={fault} />
      <SubmitActions submit={said.next} isSending={isSending} onCancel={onCancel} />
    </Form>
  );
}

interface OfferStepProps {
  readonly offer: Enrollment;
  readonly onCode: (code: string) => Promise<void>;
  readonly onCancel: () => void;
}

function OfferStep({ offer: { secret, otpauthUri }, onCode, onCancel }: OfferStepProps) {
  const [code, setCode] = useState('');
  const { isSending, fault, send } = useSending();
  return (
    <Form className={form.form} onSubmit={() => send(() => onCode(typedCode(code)))}>
      <p>{said.scan}</p>
      <div className={styles.offer}>
        <QrCode text={otpauthUri} label={said.qrCode} />
        <div className={styles.secret}>
          <p>{said.secret}</p>
          <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton text={secret} label={said.copySecret} />
        </div>
      </div>
      <TextField
        label={said.code}
        hint={said.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        isRequired
        autoFocus
      />
      <ErrorNotice error={fault} />
      <SubmitActions submit={said.turnOn} isSending={isSending} onCancel={onCancel} />
    </Form>
  );
}
