import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { renewRecoveryCodes } from '#console/api/account.ts';
import { BASE_PATH } from '#console/api/base-path.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { Section } from '#console/pages/settings/settings-page.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import { Dialog } from '#console/parts/layout/dialog.tsx';
import { EnrollmentDialog } from './enrollment-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './security.module.css';

const said = words.settings.security;

const ON = { tone: 'green', mark: '●' } as const;
const OFF = { tone: 'amber', mark: '○' } as const;

export function SecondFactor() {
  const { mfa, passwordless = false } = useUser();
  const { next } = useSearch({ from: '/shell/settings/security' });
  const router = useRouter();
  const api = useApi();
  const [isOpen, setIsOpen] = useState<'enrollment' | 'codes' | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Section title={said.factor} text={said.factorText}>
      <p className={styles.state}>
        <Badge {...(mfa.enrolled ? ON : OFF)}>{mfa.enrolled ? said.factorOn : said.factorOff}</Badge>
        {passwordless ? said.passwordlessText : mfa.enrolled ? said.factorOnText : said.factorOffText}
      </p>
      <div className={styles.ways}>
        {mfa.enrolled ? (
          <>
            <Button onPress={() => setIsOpen('codes')}>{said.newCodes}</Button>
            <Button onPress={() => setIsOpen('enrollment')}>{said.replace}</Button>
          </>
        ) : (
          <Button kind="primary" onPress={() => setIsOpen('enrollment')}>
            {said.setUp}
          </Button>
        )}
      </div>
      {mfa.enrolled && next !== undefined && (
        <Notice kind="success">
          {/* The deletion page is outside this router. */}
          <a href={`${BASE_PATH}${next}`}>{said.goBack}</a>
        </Notice>
      )}
      {isOpen === 'enrollment' && (
        <EnrollmentDialog
          replaces={mfa.enrolled}
          onClose={() => {
            setIsOpen(null);
            void router.invalidate();
          }}
        />
      )}
      {isOpen === 'codes' && (
        <ConfirmDialog
          title={said.newCodesTitle}
          action={said.makeCodes}
          kind="primary"
          onConfirm={async () => setCodes(await renewRecoveryCodes(api))}
          onClose={() => setIsOpen(null)}
        >
          {said.newCodesText}
        </ConfirmDialog>
      )}
      {codes !== null && (
        <Dialog title={said.codesTitle} isShownOnce width={520} onClose={() => setCodes(null)}>
          <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />
        </Dialog>
      )}
    </Section>
  );
}
