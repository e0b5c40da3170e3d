import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Form, type Sending } from '#console/parts/fields/form.tsx';
import { Dialog, type DialogProps, SubmitActions } from './dialog.tsx';

export interface FormDialogProps extends Omit<DialogProps, 'isOpen'> {
  readonly submit: string;
  readonly kind?: 'danger' | 'primary';
  readonly sending: Sending;
  readonly onSubmit: () => unknown;
  /** The content shows the fault. */
  readonly isFaultShown?: boolean;
}

export function FormDialog(props: FormDialogProps) {
  const { submit, kind = 'primary', sending, onSubmit, isFaultShown = false, children, ...dialog } = props;
  return (
    <Dialog {...dialog}>
      <Form onSubmit={onSubmit}>
        {children}
        {!isFaultShown && <ErrorNotice error={sending.fault} />}
        <SubmitActions submit={submit} kind={kind} isSending={sending.isSending} onCancel={dialog.onClose} />
      </Form>
    </Dialog>
  );
}
