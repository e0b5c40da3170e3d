import { useState } from 'react';
import { words } from '#console/app/words.ts';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import { Form, faultAt, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { Dialog, SubmitActions } from '#console/parts/layout/dialog.tsx';

const said = words.organization;

export interface NameDialogProps {
  readonly title: string;
  readonly action: string;
  readonly name?: string;
  /** Names by id, to choose from; absent: there is no choice. */
  readonly partners?: Readonly<Record<string, string>>;
  readonly onSubmit: (name: string, partnerId: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Names an organization, a partner or a site. */
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
  const { isSending, fault, send } = useSending();
  const isHomeless = partners !== undefined && partnerId === '';
  const nameFault = faultAt(fault, 'name');

  async function submit() {
    setIsChecked(true);
    if (name.trim() === '' || isHomeless) return;
    await send(() => onSubmit(name.trim(), partnerId));
  }

  return (
    <Dialog title={title} isOpen isPersistent onClose={onClose}>
      <Form className="stack" onSubmit={submit}>
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
        {nameFault === null && <ErrorNotice error={fault} />}
        <SubmitActions submit={action} isSending={isSending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
