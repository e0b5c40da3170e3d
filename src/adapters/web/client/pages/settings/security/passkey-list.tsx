/** Contract: §16. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey } from '#adapters/http/api-types.ts';
import { sessionsQuery } from '#console/api/account.ts';
import { CAN_USE_PASSKEYS } from '#console/api/passkey-ceremony.ts';
import { addPasskey, passkeysQuery, removePasskey } from '#console/api/passkeys.ts';
import { useServices } from '#console/app/services.ts';
import { userQuery, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { Section } from '#console/pages/settings/settings-page.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { Dialog } from '#console/parts/layout/dialog.tsx';
import { DialogForm } from '#console/parts/layout/form-dialog.tsx';
import { LoadedTable } from '#console/parts/layout/loaded-table.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './security.module.css';

const said = words.settings.security;

export function PasskeyList() {
  const { api, session } = useServices();
  const queries = useQueryClient();
  const query = useQuery(passkeysQuery(api));
  const [isAdding, setIsAdding] = useState(false);
  const [leaving, setLeaving] = useState<Passkey | null>(null);

  async function reload() {
    // Only the next access token has the new state of MFA.
    await session.renew().catch(() => undefined);
    for (const { queryKey } of [passkeysQuery(api), userQuery(api), sessionsQuery(api)]) {
      await queries.invalidateQueries({ queryKey });
    }
  }

  return (
    <Section title={said.passkeys} text={said.passkeysText}>
      <LoadedTable
        label={said.passkeys}
        columns={columnsFor(setLeaving)}
        rows={query.data}
        query={query}
        pendingRows={1}
        empty={<p>{said.passkeysNone}</p>}
      />
      {CAN_USE_PASSKEYS ? (
        <Button onPress={() => setIsAdding(true)}>{said.addPasskey}</Button>
      ) : (
        <p>{said.passkeysUnsupported}</p>
      )}
      {isAdding && <AddPasskeyDialog onAdded={reload} onClose={() => setIsAdding(false)} />}
      {leaving !== null && (
        <ConfirmDialog
          title={said.removePasskeyTitle}
          action={said.removePasskey}
          onConfirm={async () => {
            await removePasskey(api, leaving.id);
            await reload();
          }}
          onClose={() => setLeaving(null)}
        >
          {said.removePasskeyText(leaving.name)}
        </ConfirmDialog>
      )}
    </Section>
  );
}

interface AddPasskeyDialogProps {
  readonly onAdded: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks people without a second factor for their password, if any. Step-up asks all others for proof. */
function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const { api } = useServices();
  const { mfa, passwordless = false } = useUser();
  const [needsPassword] = useState(!mfa.enrolled && !passwordless);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const sending = useSending();

  const add = () =>
    sending.send(async () => {
      const { recoveryCodes } = await addPasskey(api, name, needsPassword ? password : null);
      if (recoveryCodes === undefined) onClose();
      else setCodes(recoveryCodes);
      await onAdded();
    });

  return (
    <Dialog
      title={codes === null ? said.addPasskeyTitle : said.codesTitle}
      isShownOnce={codes !== null}
      width={520}
      onClose={onClose}
    >
      {codes !== null ? (
        <RecoveryCodes codes={codes} onKept={onClose} />
      ) : (
        <DialogForm submit={said.next} sending={sending} onSubmit={add} onClose={onClose}>
          <p>{said.addPasskeyText}</p>
          <TextField label={said.passkeyName} value={name} onChange={setName} isRequired autoFocus />
          {needsPassword && (
            <TextField
              label={said.password}
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={setPassword}
              isRequired
            />
          )}
        </DialogForm>
      )}
    </Dialog>
  );
}

function columnsFor(remove: (passkey: Passkey) => void): readonly Column<Passkey>[] {
  return [
    {
      id: 'name',
      title: said.passkey,
      isMain: true,
      cell: ({ name, backedUp }) => (
        <span className={styles.program}>
          {name}
          {backedUp && <Badge tone="green">{said.passkeySynced}</Badge>}
        </span>
      ),
    },
    { id: 'added', title: said.passkeyAdded, fits: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'used',
      title: said.lastUsed,
      fits: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? said.neverUsed : <Time at={lastUsedAt} />),
    },
    {
      id: 'remove',
      title: said.removePasskey,
      isAction: true,
      cell: (passkey) => (
        <Button isCompact aria-label={said.removePasskeyNamed(passkey.name)} onPress={() => remove(passkey)}>
          {said.removePasskey}
        </Button>
      ),
    },
  ];
}
