/** Asks for the password, then for a code of the app, and shows the recovery codes (Contract: §2). */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { encode } from 'uqr';
import type { Enrollment } from '#adapters/http/api-types.ts';
import { confirmEnrollment, sessionsQuery, startEnrollment } from '#console/api/account.ts';
import { useServices } from '#console/app/services.ts';
import { userQuery, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { CopyButton } from '#console/parts/actions/copy-button.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { Dialog } from '#console/parts/layout/dialog.tsx';
import { DialogForm } from '#console/parts/layout/form-dialog.tsx';
import { typedCode } from '#console/session/challenge.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './security.module.css';

const said = words.settings.security;

type Step =
  | { readonly kind: 'password' }
  | { readonly kind: 'offer'; readonly offer: Enrollment }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

export interface EnrollmentDialogProps {
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
    // Only the next access token says that MFA is verified.
    await session.renew().catch(() => undefined);
    await queries.invalidateQueries({ queryKey: userQuery(api).queryKey });
    await queries.invalidateQueries({ queryKey: sessionsQuery(api).queryKey });
  }

  const title = step.kind === 'codes' ? said.codesTitle : replaces ? said.replaceTitle : said.setUp;
  return (
    <Dialog
      title={title}
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

/** People without a password see only a button. Step-up then asks for their passkey. */
function PasswordStep({ onPassword, onCancel }: PasswordStepProps) {
  const { passwordless = false } = useUser();
  const [password, setPassword] = useState('');
  const sending = useSending();
  return (
    <DialogForm
      submit={said.next}
      sending={sending}
      onSubmit={() => sending.send(() => onPassword(password))}
      onClose={onCancel}
    >
      <p>{passwordless ? said.passkeyText : said.passwordText}</p>
      {!passwordless && (
        <TextField
          label={said.password}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          isRequired
          autoFocus
        />
      )}
    </DialogForm>
  );
}

interface OfferStepProps {
  readonly offer: Enrollment;
  readonly onCode: (code: string) => Promise<void>;
  readonly onCancel: () => void;
}

function OfferStep({ offer: { secret, otpauthUri }, onCode, onCancel }: OfferStepProps) {
  const [code, setCode] = useState('');
  const sending = useSending();
  return (
    <DialogForm
      submit={said.turnOn}
      sending={sending}
      onSubmit={() => sending.send(() => onCode(typedCode(code)))}
      onClose={onCancel}
    >
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
    </DialogForm>
  );
}

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
}

/** Drawn locally, because the text contains a secret. */
function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 });
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={data.flatMap(outlineOf).join('')} />
    </svg>
  );
}

function outlineOf(row: readonly boolean[], y: number): readonly string[] {
  return row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []));
}
