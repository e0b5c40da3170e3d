import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Subscription } from '#adapters/http/api-types.ts';
import { BASE_PATH } from '#console/api/base-path.ts';
import { changeSubscription, createSubscription, subscriptionsQuery } from '#console/api/live.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { CopyableText } from '#console/parts/actions/copy-button.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Form, faultAt, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { Dialog, DialogActions, SubmitActions } from '#console/parts/layout/dialog.tsx';

const said = words.live;

export interface SubscriptionDialogProps {
  readonly filterId: string;
  /** Null: a new one. */
  readonly subscription: Subscription | null;
  readonly onSaved: (subscription: Subscription) => void;
  readonly onClose: () => void;
}

export function SubscriptionDialog({ filterId, subscription, onSaved, onClose }: SubscriptionDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [name, setName] = useState(subscription?.name ?? '');
  const [isChecked, setIsChecked] = useState(false);
  const [added, setAdded] = useState<Subscription | null>(null);
  const { isSending, fault, send } = useSending();
  const nameFault = faultAt(fault, 'name');
  if (added !== null) return <ConnectDialog subscription={added} onClose={onClose} />;

  async function save() {
    setIsChecked(true);
    if (name.trim() === '') return;
    await send(async () => {
      const saved =
        subscription === null
          ? await createSubscription(api, { filterId, name, kind: 'feed' })
          : await changeSubscription(api, subscription.id, { name });
      await queries.invalidateQueries({ queryKey: subscriptionsQuery(api, filterId).queryKey });
      onSaved(saved);
      if (subscription === null) setAdded(saved);
      else onClose();
    });
  }

  return (
    <Dialog
      title={subscription === null ? said.addTitle : said.editTitle(subscription.name)}
      isOpen
      isPersistent
      onClose={onClose}
    >
      <Form className="stack" onSubmit={save}>
        {subscription === null && <p className="soft">{said.feedText}</p>}
        <TextField
          label={said.name}
          hint={said.nameHint}
          error={nameFault ?? (isChecked && name.trim() === '' ? said.nameMissing : null)}
          value={name}
          onChange={setName}
          autoComplete="off"
          autoFocus
        />
        {nameFault === null && <ErrorNotice error={fault} />}
        <SubmitActions
          submit={subscription === null ? said.add : said.save}
          isSending={isSending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

interface ConnectDialogProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

export function ConnectDialog({ subscription: { id, name }, onClose }: ConnectDialogProps) {
  const address = `${window.location.origin}${BASE_PATH}/api/v1/subscriptions/${id}`;
  return (
    <Dialog title={said.connectTitle(name)} isOpen width={560} onClose={onClose}>
      <p>{said.connectText}</p>
      <h3>{said.membersAddress}</h3>
      <CopyableText text={`${address}/members`} label={said.copyMembers} />
      <h3>{said.changesAddress}</h3>
      <CopyableText text={`${address}/changes?wait=30&cursor=`} label={said.copyChanges} />
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {said.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
