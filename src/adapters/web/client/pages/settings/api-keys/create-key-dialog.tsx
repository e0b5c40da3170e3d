import { useState } from 'react';
import { createApiKey } from '#console/api/account.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import form from '#console/pages/settings/form.module.css';
import { Button } from '#console/parts/actions/button.tsx';
import { CopyableText } from '#console/parts/actions/copy-button.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import { faultAt, useSending } from '#console/parts/fields/form.tsx';
import { Switch } from '#console/parts/fields/switch.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';
import { DialogForm } from '#console/parts/layout/form-dialog.tsx';
import { expiryAfter } from './key-table.tsx';

const said = words.settings.apiKeys;

/** In days. Keys expire by default, so a forgotten one does not stay valid. */
const DEFAULT_EXPIRY: `${keyof typeof said.expiries}` = '90';

export interface CreateKeyDialogProps {
  readonly onCreated: () => void;
  readonly onClose: () => void;
}

export function CreateKeyDialog({ onCreated, onClose }: CreateKeyDialogProps) {
  const api = useApi();
  const { permissions: held } = useUser();
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<ReadonlySet<string>>(new Set());
  const [expiry, setExpiry] = useState<string>(DEFAULT_EXPIRY);
  const [key, setKey] = useState<string | null>(null);
  const sending = useSending();

  const create = () =>
    sending.send(async () => {
      const wanted = { name, permissions: [...permissions], expiresAt: expiryAfter(expiry) };
      const created = await createApiKey(api, wanted);
      setKey(created.key);
      onCreated();
    });

  const nameFault = faultAt(sending.fault, 'name');
  return (
    <Dialog
      title={key === null ? said.create : said.createdTitle}
      isShownOnce={key !== null}
      width={key === null ? undefined : 520}
      onClose={onClose}
    >
      {key === null ? (
        <DialogForm
          submit={said.create}
          sending={sending}
          isFaultShown={nameFault !== null}
          onSubmit={create}
          onClose={onClose}
        >
          <TextField
            label={said.name}
            hint={said.nameHint}
            error={nameFault}
            value={name}
            onChange={setName}
            isRequired
            autoFocus
          />
          {held.length > 0 && (
            <fieldset className={form.options}>
              <legend>{said.permissions}</legend>
              <p className="note">{said.permissionsHint}</p>
              {held.map((permission) => (
                <Switch
                  key={permission}
                  label={words.settings.profile.permissionTitles[permission] ?? permission}
                  isSelected={permissions.has(permission)}
                  onChange={() => setPermissions(permissions.symmetricDifference(new Set([permission])))}
                />
              ))}
            </fieldset>
          )}
          <Dropdown label={said.expires} value={expiry} onChange={setExpiry}>
            {optionsOf(said.expiries)}
          </Dropdown>
        </DialogForm>
      ) : (
        <>
          <p>{said.createdText}</p>
          <CopyableText text={key} label={said.copy} />
          <DialogActions>
            <Button kind="primary" onPress={onClose}>
              {said.kept}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
