import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { DeletionRequest } from '#adapters/http/api-types.ts';
import { sendVerdict, type Verdict } from '#console/api/administration.ts';
import { ApiError } from '#console/api/http.ts';
import { draftKey, keepDraft, readDraft } from '#console/app/drafts.ts';
import { useApi } from '#console/app/services.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { formatNumber } from '#console/parts/display/format.ts';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { FormDialog } from '#console/parts/layout/form-dialog.tsx';
import { MAX_DELETION_TEXT_LENGTH } from '#domain/deletion/deletion-request.ts';
import { countCodePoints } from '#domain/text/code-points.ts';

const said = words.administration.deletions;

interface DecisionDialogProps {
  readonly request: DeletionRequest;
  readonly verdict: Verdict;
  readonly onClose: () => void;
  readonly onDecided: (now: DeletionRequest) => void;
  /** Called if the request is no longer pending. */
  readonly onOvertaken: (conflict: ApiError) => Promise<void>;
}

export function DecisionDialog({ request, verdict, onClose, onDecided, onOvertaken }: DecisionDialogProps) {
  const api = useApi();
  const { id: userId } = useUser();
  const { pathname } = useLocation();
  const draft = draftKey(userId, `deletion-note.${request.id}`);
  const [typed, setTyped] = useState('');
  const [note, setNote] = useState(() => readDraft(draft));
  const [isChecked, setIsChecked] = useState(false);
  const sending = useSending();
  const { fault } = sending;

  const { name, email, id: accountId } = request.user;
  // An administrator who may not see the account's email types the id instead.
  const expected = email ?? accountId;
  const left = MAX_DELETION_TEXT_LENGTH - countCodePoints(note.trim());
  const emailFault = typed.trim().toLowerCase() === expected.toLowerCase() ? null : said.emailWrong(expected);
  const noteFault =
    left < 0
      ? said.noteTooLong(formatNumber(-left))
      : verdict === 'reject' && note.trim() === ''
        ? said.noteMissing
        : null;

  async function decide() {
    setIsChecked(true);
    if (emailFault !== null || noteFault !== null) return;
    await sending.send(async () => {
      try {
        const now = await sendVerdict(api, request.id, { action: verdict, adminNote: note.trim() || null });
        keepDraft(draft, '');
        onDecided(now);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
        await onOvertaken(error);
      }
    });
  }

  const text = (verdict === 'reject' ? said.rejectText : said.approveText)(name ?? expected);
  const hint = (verdict === 'reject' ? said.noteHint : said.noteOptional)(formatNumber(Math.max(0, left)));
  return (
    <FormDialog
      title={verdict === 'reject' ? said.rejectTitle : said.approveTitle}
      submit={verdict === 'reject' ? said.reject : said.approve}
      kind={verdict === 'reject' ? 'primary' : 'danger'}
      sending={sending}
      isFaultShown
      onSubmit={decide}
      onClose={onClose}
    >
      <p>{text}</p>
      <TextField
        label={said.typeEmail}
        value={typed}
        onChange={setTyped}
        hint={said.emailIs(expected)}
        error={isChecked ? emailFault : null}
        autoComplete="off"
        autoFocus
      />
      <TextField
        label={said.noteToUser}
        value={note}
        onChange={(changed) => {
          setNote(changed);
          keepDraft(draft, changed);
        }}
        hint={hint}
        error={isChecked || left < 0 ? noteFault : null}
        isMultiline
      />
      <ErrorNotice error={fault} />
      {fault instanceof ApiError && fault.code === 'mfa_enrollment_required' && (
        <p>
          <Link to="/settings/security" search={{ next: pathname }}>
            {said.toSecurity}
          </Link>
        </p>
      )}
    </FormDialog>
  );
}
