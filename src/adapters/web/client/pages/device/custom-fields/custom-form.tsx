import { useRef, useState } from 'react';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { isDay } from '#console/parts/condition/local-dates.ts';
import { faultAt } from '#console/parts/fields/field-fault.ts';
import { Form } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { readDraft, toDraft } from './custom-draft.ts';
import type { CustomEditing, CustomFieldValue } from './custom-field.tsx';
import styles from './custom-form.module.css';

/** A text of more characters is written in several lines. */
const LONG = 80;

/** The value as it is typed, where it stands. Esc leaves it as it was; an empty field removes it. */
export function CustomForm({
  field,
  change,
  save,
  onLeave,
}: CustomEditing & { readonly onLeave: () => void }) {
  const { key, name, type, value } = field;
  const [draft, setDraft] = useState(() => toDraft(field, value));
  const [fault, setFault] = useState<string | null>(null);
  const latest = useRef(draft);
  latest.current = draft;

  async function submit() {
    const read = readDraft({ type, choices: field.choices ?? [] }, draft);
    setFault(read.ok ? null : words.devicePage.refused(name, read.error));
    // What was typed meanwhile stays.
    if (read.ok && (await save(read.value)) && latest.current === draft) onLeave();
  }

  return (
    <Form
      className={styles.form}
      // What is wrong is said by ourselves, in one place.
      validationBehavior="aria"
      onSubmit={submit}
    >
      <TextField
        label={name}
        isLabelHidden
        value={draft}
        onChange={setDraft}
        error={fault ?? faultAt(change.error, `custom.${key}`)}
        isMultiline={type === 'text' && (draft.length > LONG || draft.includes('\n'))}
        {...INPUTS[inputOf(field)]}
        autoFocus
        autoComplete="off"
        onKeyDown={({ key: pressed }) => {
          if (pressed === 'Escape') onLeave();
        }}
      />
      <div className={styles.buttons}>
        <Button kind="primary" isCompact type="submit" isPending={change.isSaving}>
          {words.devicePage.save}
        </Button>
        <Button isCompact onPress={onLeave}>
          {words.cancel}
        </Button>
      </div>
    </Form>
  );
}

const INPUTS = {
  text: {},
  number: { inputMode: 'decimal' },
  day: { type: 'date' },
  instant: { type: 'datetime-local' },
} as const;

/** A date is typed as what it is: a day, or an instant in the reader's zone. */
function inputOf({ type, value }: CustomFieldValue): keyof typeof INPUTS {
  if (type === 'date') return typeof value === 'string' && !isDay(value) ? 'instant' : 'day';
  return type === 'number' ? 'number' : 'text';
}
