import { useState } from 'react';
import { words } from '#console/app/words.ts';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import { faultAt, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { FormDialog } from '#console/parts/layout/form-dialog.tsx';

const said = words.organization;

export interface NameDialogProps {
  readonly title: string;
  readonly action: string;
  readonly name?: string;
  /** Names by id; if absent, no partner can be chosen. */
  readonly partners?: Readonly<Record<string, string>>;
  readonly onSubmit: (name: string, partnerId: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the name of an organization, a partner, a site or a person. */
export function NameDialog({
  title,
  action,
  name: before = '',
  partners,
  onSubmit,
  onClose,
}: NameDialogProps) {
  const [name, setName] = useState(before);
  const [partnerId, setPartnerId] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const sending = useSending();
  const isHomeless = partners !== undefined && partnerId === '';
  const nameFault = faultAt(sending.fault, 'name');

  async function submit() {
    setIsChecked(true);
    if (name.trim() === '' || isHomeless) return;
    await sending.send(() => onSubmit(name.trim(), partnerId));
  }

  return (
    <FormDialog
      title={title}
      submit={action}
      isPersistent
      sending={sending}
      isFaultShown={nameFault !== null}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={said.name}
        value={name}
        onChange={setName}
        error={nameFault ?? (isChecked && name.trim() === '' ? said.nameMissing : null)}
        autoComplete="off"
        autoFocus
      />
      {partners !== undefined && (
        <Dropdown
          label={said.partner}
          value={partnerId}
          error={isChecked && isHomeless ? said.partnerMissing : null}
          onChange={setPartnerId}
        >
          {optionsOf({ ...(partnerId === '' && { '': said.choosePartner }), ...partners })}
        </Dropdown>
      )}
    </FormDialog>
  );
}
