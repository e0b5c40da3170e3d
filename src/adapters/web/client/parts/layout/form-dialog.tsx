import type { ReactNode } from 'react';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Form, type Sending } from '#console/parts/fields/form.tsx';
import { Dialog, type DialogProps, SubmitActions } from './dialog.tsx';

interface DialogFormProps {
  readonly submit: string;
  readonly kind?: 'danger' | 'primary';
  readonly sending: Sending;
  readonly onSubmit: () => unknown;
  /** True if the content shows the fault itself. */
  readonly isFaultShown?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** For a dialog that shows other content after the form, because a second dialog would lose the focus. */
export function DialogForm(props: DialogFormProps) {
  const { submit, kind = 'primary', sending, onSubmit, isFaultShown = false, onClose, children } = props;
  return (
    <Form onSubmit={onSubmit}>
      {children}
      {!isFaultShown && <ErrorNotice error={sending.fault} />}
      <SubmitActions submit={submit} kind={kind} isSending={sending.isSending} onCancel={onClose} />
    </Form>
  );
}

type FormDialogProps = DialogFormProps & Pick<DialogProps, 'title' | 'width' | 'isPersistent'>;

export function FormDialog({ title, width, isPersistent, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} width={width} isPersistent={isPersistent} onClose={form.onClose}>
      <DialogForm {...form} />
    </Dialog>
  );
}
