import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { SavedFilter, Subscription } from '#adapters/http/api-types.ts';
import { BASE_PATH } from '#console/api/base-path.ts';
import {
  type CreatedSubscription,
  changeSubscription,
  createSubscription,
  renewSecret,
  subscriptionsQuery,
} from '#console/api/live.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { CopyableText } from '#console/parts/actions/copy-button.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import { faultAt, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';
import { FormDialog } from '#console/parts/layout/form-dialog.tsx';
import { draftOf, emptyDraft, missingIn, type SubscriptionDraft, toSettings } from './subscription-draft.ts';
import { MailFields } from './subscription-fields.tsx';

const said = words.live;

export interface SubscriptionDialogProps {
  readonly filter: SavedFilter;
  /** Null for a new subscription. */
  readonly subscription: Subscription | null;
  readonly onSaved: (subscription: Subscription) => void;
  readonly onClose: () => void;
}

export function SubscriptionDialog({ filter, subscription, onSaved, onClose }: SubscriptionDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const { id: ownId } = useUser();
  const isNew = subscription === null;
  const [draft, setDraft] = useState(() => (isNew ? emptyDraft(ownId) : draftOf(subscription)));
  const [isChecked, setIsChecked] = useState(false);
  const [added, setAdded] = useState<CreatedSubscription | null>(null);
  const sending = useSending();
  const kindNoteId = useId();
  if (added?.secret !== undefined) {
    return <SecretDialog name={added.name} secret={added.secret} onClose={onClose} />;
  }
  if (added !== null) return <ConnectDialog subscription={added} onClose={onClose} />;
  const missing = missingIn(draft);
  const change = (changed: Partial<SubscriptionDraft>) => {
    // Clears the fault, because the browser does not submit a form with an invalid field.
    sending.forget();
    setDraft({ ...draft, ...changed });
  };
  const errorOf = (member: keyof SubscriptionDraft) =>
    faultAt(sending.fault, PATHS[member]) ?? (isChecked && missing.has(member) ? said.missing[member] : null);
  const textOf = (member: 'name' | 'url' | 'guardDevices' | 'guardPercent') => ({
    label: said[member],
    error: errorOf(member),
    value: draft[member],
    onChange: (text: string) => change({ [member]: text }),
    autoComplete: 'off',
  });
  const isShown = Object.values(PATHS).some((path) => faultAt(sending.fault, path) !== null);

  async function save() {
    setIsChecked(true);
    if (missing.size > 0) return;
    await sending.send(async () => {
      const settings = toSettings(draft);
      const saved: CreatedSubscription = isNew
        ? await createSubscription(api, { filterId: filter.id, kind: draft.kind, ...settings })
        : await changeSubscription(api, subscription.id, settings);
      await queries.invalidateQueries({ queryKey: subscriptionsQuery(api, filter.id).queryKey });
      onSaved(saved);
      if (isNew && saved.kind !== 'mail') setAdded(saved);
      else onClose();
    });
  }

  return (
    <FormDialog
      title={isNew ? said.addTitle : said.editTitle(subscription.name)}
      submit={isNew ? said.add : said.save}
      sending={sending}
      isFaultShown={isShown}
      onSubmit={save}
      onClose={onClose}
      isPersistent
      width={480}
    >
      <TextField {...textOf('name')} hint={said.nameHint} autoFocus />
      {isNew && (
        <Dropdown
          label={said.kind}
          value={draft.kind}
          describedBy={kindNoteId}
          onChange={(kind) => change({ kind })}
        >
          {optionsOf(said.kinds)}
        </Dropdown>
      )}
      <p id={kindNoteId} className="note">
        {said.kindTexts[draft.kind]}
      </p>
      {draft.kind === 'webhook' && <TextField {...textOf('url')} hint={said.urlHint} inputMode="url" />}
      {draft.kind === 'mail' && (
        <MailFields filter={filter} draft={draft} errorOf={errorOf} onChange={change} />
      )}
      <p className="note">{said.guardText}</p>
      <TextField {...textOf('guardDevices')} inputMode="numeric" />
      <TextField {...textOf('guardPercent')} inputMode="decimal" />
    </FormDialog>
  );
}

/** Paths of the API's faults, by member of the draft. */
const PATHS = {
  kind: 'kind',
  name: 'name',
  url: 'url',
  recipients: 'recipients',
  notify: 'notify',
  line: 'notify',
  batchMinutes: 'batchSeconds',
  guardDevices: 'guard',
  guardPercent: 'guard',
} satisfies Record<keyof SubscriptionDraft, string>;

interface ConnectDialogProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
}

export function ConnectDialog({ subscription: { id, name }, onClose }: ConnectDialogProps) {
  const address = `${window.location.origin}${BASE_PATH}/api/v1/subscriptions/${id}`;
  return (
    <Dialog title={said.connectTitle(name)} width={560} onClose={onClose}>
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

interface SecretDialogProps {
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}

function SecretDialog({ name, secret, onClose }: SecretDialogProps) {
  return (
    <Dialog title={said.secretTitle(name)} isShownOnce width={520} onClose={onClose}>
      <p>{said.secretText}</p>
      <CopyableText text={secret} label={said.copySecret} />
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {said.kept}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function RenewDialog({ subscription: { id, name }, onClose }: ConnectDialogProps) {
  const api = useApi();
  const [secret, setSecret] = useState<string | null>(null);
  const sending = useSending();
  if (secret !== null) return <SecretDialog name={name} secret={secret} onClose={onClose} />;
  return (
    <FormDialog
      title={said.renewTitle(name)}
      submit={said.renew}
      sending={sending}
      onSubmit={() => sending.send(async () => setSecret(await renewSecret(api, id)))}
      onClose={onClose}
    >
      <p>{said.renewText}</p>
    </FormDialog>
  );
}
