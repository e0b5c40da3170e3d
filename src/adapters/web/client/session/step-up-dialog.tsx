import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnProvider } from '#adapters/http/api-types.ts';
import type { ApiError } from '#console/api/http.ts';
import { CAN_USE_PASSKEYS, provePasskey } from '#console/api/passkey-ceremony.ts';
import { passkeysQuery } from '#console/api/passkeys.ts';
import { currentAddress, ownProvidersQuery, visitProvider } from '#console/api/provider-sign-in.ts';
import { useServices } from '#console/app/services.ts';
import { userQuery } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { Dialog } from '#console/parts/layout/dialog.tsx';
import { FormDialog } from '#console/parts/layout/form-dialog.tsx';
import { challenge, typedCode } from './challenge.ts';
import { CodeField } from './code-field.tsx';

export interface StepUpDialogProps {
  /** For `recent_sign_in_required`, a code is not enough. */
  readonly error: ApiError;
  readonly onProved: () => void;
  readonly onGiveUp: () => void;
}

export function StepUpDialog({ error, onProved, onGiveUp }: StepUpDialogProps) {
  const { api, session } = useServices();
  const { data: passkeys = [] } = useQuery(passkeysQuery(api));
  const { data: providers = [] } = useQuery(ownProvidersQuery(api));
  const isEnrolled = useQuery(userQuery(api)).data?.mfa.enrolled ?? true;
  const [code, setCode] = useState('');
  const sending = useSending();
  const { isSending, send } = sending;

  const confirm = () =>
    send(async () => {
      await challenge(session, { code: typedCode(code) });
      onProved();
    });

  const confirmByPasskey = () =>
    send(async () => {
      await challenge(session, { passkey: await provePasskey() });
      onProved();
    });

  if (error.code === 'recent_sign_in_required') {
    return (
      <FormDialog
        title={words.signIn.stepUpTitle}
        submit={words.signIn.usePasskey}
        sending={sending}
        onSubmit={confirmByPasskey}
        onClose={onGiveUp}
      >
        <p>{words.signIn.recentText}</p>
        <ProviderButtons providers={providers} />
      </FormDialog>
    );
  }
  // If not enrolled, the user has a second factor at the identity provider.
  if (!isEnrolled) {
    return (
      <Dialog title={words.signIn.stepUpTitle} onClose={onGiveUp}>
        <p>{words.signIn.againText}</p>
        <ProviderButtons providers={providers} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={words.signIn.stepUpTitle}
      submit={words.signIn.confirm}
      sending={sending}
      onSubmit={confirm}
      onClose={onGiveUp}
    >
      <p>{words.signIn.stepUpText}</p>
      <CodeField value={code} onChange={setCode} />
      {CAN_USE_PASSKEYS && passkeys.length > 0 && (
        <Button kind="quiet" isDisabled={isSending} onPress={() => void confirmByPasskey()}>
          {words.signIn.usePasskey}
        </Button>
      )}
    </FormDialog>
  );
}

function ProviderButtons({ providers }: { readonly providers: readonly OwnProvider[] }) {
  return providers
    .filter(({ linkedAt }) => linkedAt !== null)
    .map(({ id, name }) => (
      <Button key={id} onPress={() => visitProvider({ provider: id, fresh: 'true', next: currentAddress() })}>
        {words.signIn.again(name)}
      </Button>
    ));
}
