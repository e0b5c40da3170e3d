import { useRef, useState } from 'react';
import { MenuTrigger } from 'react-aria-components';
import type { Device } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { type DeviceChange, useDeviceChange } from '#console/pages/device/use-device-change.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Menu, MenuItem } from '#console/parts/actions/menu.tsx';
import { isDay } from '#console/parts/condition/local-dates.ts';
import { formatDate, formatDateTime, formatExact } from '#console/parts/display/format.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import { ErrorNotice } from '#console/parts/feedback/notice.tsx';
import { Form, faultAt } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import type { CustomFieldType } from '#domain/fleet/fleet-record.ts';
import { readDraft, toDraft } from './custom-draft.ts';
import styles from './custom-field.module.css';

export type CustomFieldValue = Device['custom'][number] & {
  readonly choices: readonly string[] | null;
};

export interface CustomEditing {
  readonly field: CustomFieldValue;
  readonly change: DeviceChange;
  readonly save: (value: CustomFieldValue['value']) => Promise<boolean>;
}

export interface CustomFieldProps {
  readonly field: CustomFieldValue;
  readonly deviceId: string;
  readonly etag: string | null;
  readonly canChange: boolean;
}

export function CustomField({ field, deviceId, etag, canChange }: CustomFieldProps) {
  const { key, name, type, value } = field;
  const change = useDeviceChange(deviceId, etag);
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const [isSaved, setIsSaved] = useState(false);

  const editing: CustomEditing = {
    field,
    change,
    save: async (wanted) => {
      setIsSaved(false);
      const isDone = await change.save({ custom: { [key]: wanted } });
      setIsSaved(isDone);
      return isDone;
    },
  };
  const leave = () => {
    setIsOpen(false);
    setWasOpen(true);
    change.reset();
  };
  const isChosen = type === 'boolean' || type === 'dropdown';
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {isOpen ? (
          <CustomForm {...editing} onLeave={leave} />
        ) : (
          <div className={styles.line}>
            <span className={styles.value}>
              {customText(type, value) ?? <span className="soft">{words.devicePage.noValue}</span>}
            </span>
            {canChange && isChosen && <CustomChoice {...editing} />}
            {canChange && !isChosen && (
              <Button
                autoFocus={wasOpen}
                kind="quiet"
                isCompact
                aria-label={words.devicePage.editField(name)}
                onPress={() => {
                  setIsSaved(false);
                  setIsOpen(true);
                }}
              >
                <Icon name="edit" />
              </Button>
            )}
            <span role="status" className={styles.saved}>
              {isSaved && words.devicePage.saved}
            </span>
          </div>
        )}
        {faultAt(change.error, `custom.${key}`) === null && <ErrorNotice error={change.error} />}
      </dd>
    </div>
  );
}

/** In characters; longer texts get several lines. */
const LONG = 80;

function CustomForm({ field, change, save, onLeave }: CustomEditing & { readonly onLeave: () => void }) {
  const { key, name, type, value } = field;
  const [draft, setDraft] = useState(() => toDraft(field, value));
  const [fault, setFault] = useState<string | null>(null);
  const latest = useRef(draft);
  latest.current = draft;

  async function submit() {
    const read = readDraft({ type, choices: field.choices ?? [] }, draft);
    setFault(read.ok ? null : words.devicePage.refused(name, read.error));
    if (read.ok && (await save(read.value)) && latest.current === draft) onLeave();
  }

  return (
    <Form className={styles.form} validationBehavior="aria" onSubmit={submit}>
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

function inputOf({ type, value }: CustomFieldValue): keyof typeof INPUTS {
  if (type === 'date') return typeof value === 'string' && !isDay(value) ? 'instant' : 'day';
  return type === 'number' ? 'number' : 'text';
}

function CustomChoice({ field, change, save }: CustomEditing) {
  const options = optionsOf(field);
  const chosen = options.find(({ value }) => value === field.value)?.id ?? NONE;
  return (
    <MenuTrigger>
      <Button
        kind="quiet"
        isCompact
        isPending={change.isSaving}
        // Without the choices, the menu could only remove the value.
        isDisabled={field.type === 'dropdown' && field.choices === null}
        aria-label={words.devicePage.editField(field.name)}
      >
        <Icon name="edit" />
      </Button>
      <Menu
        aria-label={field.name}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[chosen]}
        onAction={(id) => {
          const option = options.find((one) => one.id === id);
          if (option !== undefined && option.id !== chosen) void save(option.value);
        }}
      >
        {options.map(({ id, text }) => (
          <MenuItem key={id} id={id}>
            {text}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}

interface CustomOption {
  readonly id: string;
  readonly text: string;
  readonly value: string | boolean | null;
}

const NONE = 'none';

/** Ids of choices have a prefix, so a choice called "none" cannot collide with `NONE`. */
function optionsOf({ type, choices }: CustomFieldValue): readonly CustomOption[] {
  const none = { id: NONE, text: words.devicePage.noValue, value: null };
  if (type === 'boolean') {
    return [
      { id: 'yes', text: words.devicePage.yes, value: true },
      { id: 'no', text: words.devicePage.no, value: false },
      none,
    ];
  }
  return [...(choices ?? []).map((choice, i) => ({ id: `choice-${i}`, text: choice, value: choice })), none];
}

/** Reads a date without a time as local midnight, so its day is the same in every time zone. */
/** Null if there is no value. */
export function customText(type: CustomFieldType, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? words.devicePage.yes : words.devicePage.no;
  if (typeof value === 'number') return formatExact(value);
  const text = String(value);
  if (type !== 'date') return text;
  return isDay(text) ? formatDate(new Date(`${text}T00:00`)) : formatDateTime(new Date(text));
}
