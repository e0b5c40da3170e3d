import { useState } from 'react';
import { useServices } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Form, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { Dialog, SubmitActions } from '#console/parts/layout/dialog.tsx';
import { challenge, typedCode } from './challenge.ts';

export interface StepUpDialogProps {
  readonly onProved: () => void;
  readonly onGiveUp: () => void;
}

export function StepUpDialog({ onProved, onGiveUp }: StepUpDialogProps) {
  const { session } = useServices();
  const [code, setCode] = useState('');
  const { isSending, fault, send } = useSending();

  const confirm = () =>
    send(async () => {
      await challenge(session, typedCode(code));
      onProved();
    });

  return (
    <Dialog title={words.signIn.stepUpTitle} isOpen onClose={onGiveUp}>
      <Form onSubmit={confirm}>
        <p>{words.signIn.stepUpText}</p>
        <TextField
          label={words.signIn.code}
          value={code}
          onChange={setCode}
          autoFocus
          isRequired
          autoComplete="one-time-code"
          hint={words.signIn.codeHint}
        />
        <ErrorNotice error={fault} />
        <SubmitActions submit={words.signIn.confirm} isSending={isSending} onCancel={onGiveUp} />
      </Form>
    </Dialog>
  );
}
