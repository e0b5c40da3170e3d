import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { renewRecoveryCodes } from '#console/api/account.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Section } from '#console/pages/settings/settings-page.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';
import { EnrollmentDialog } from './enrollment-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './security.module.css';

const said = words.settings.security;

export function SecondFactor() {
  const { mfa } = useUser();
  const { next } = useSearch({ from: '/shell/settings/security' });
  const router = useRouter();
  const [isOpen, setIsOpen] = useState<'enrollment' | 'codes' | null>(null);
  return (
    <Section title={said.factor} text={said.factorText}>
      <p className={styles.state}>
        {mfa.enrolled ? (
          <Badge tone="green" mark="●">
            {said.factorOn}
          </Badge>
        ) : (
          <Badge tone="amber" mark="○">
            {said.factorOff}
          </Badge>
        )}
        {mfa.enrolled ? said.factorOnText : said.factorOffText}
      </p>
      <div className={styles.actions}>
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
          <a href={next}>{said.goBack}</a>
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
      {isOpen === 'codes' && <NewCodesDialog onClose={() => setIsOpen(null)} />}
    </Section>
  );
}

function NewCodesDialog({ onClose }: { readonly onClose: () => void }) {
  const api = useApi();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { isSending, fault, send } = useSending();
  if (codes !== null) {
    return (
      <Dialog title={said.codesTitle} isOpen isShownOnce width={520} onClose={onClose}>
        <RecoveryCodes codes={codes} onKept={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={said.newCodesTitle} isOpen onClose={onClose}>
      <p>{said.newCodesText}</p>
      <ErrorNotice error={fault} />
      <DialogActions>
        <Button kind="quiet" onPress={onClose}>
          {words.cancel}
        </Button>
        <Button
          kind="primary"
          isPending={isSending}
          onPress={() => void send(async () => setCodes(await renewRecoveryCodes(api)))}
        >
          {said.makeCodes}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
