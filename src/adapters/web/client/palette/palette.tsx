/**
 * The command palette (Spec: Web client behaviors; Contract: §14). Made without cmdk, because the
 * Content-Security-Policy refuses its style element.
 */
import { useNavigate, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { isOffline } from '#console/api/http.ts';
import { useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { nameOfPress } from '#console/keys/press.ts';
import { ShowKeys } from '#console/keys/show-keys.tsx';
import { copyText } from '#console/parts/actions/copy-button.tsx';
import { messageOf } from '#console/parts/display/format.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import type { ActionsOfShell } from './actions.ts';
import type { Row } from './found-rows.ts';
import styles from './palette.module.css';
import { PaletteList } from './palette-list.tsx';
import { readRecents } from './recents.ts';
import { useGroups } from './use-groups.ts';

export interface PaletteProps {
  readonly typed: string;
  readonly shell: ActionsOfShell;
  readonly onClose: () => void;
}

export function Palette({ typed: before, shell, onClose }: PaletteProps) {
  const { id: userId } = useUser();
  const navigate = useNavigate();
  const router = useRouter();
  const listId = useId();
  const [recents] = useState(() => readRecents(userId));
  const [typed, setTyped] = useState(before);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const { groups, wanted, isSearching, error } = useGroups(typed, recents, shell);

  const rows = groups.flatMap((group) => group.rows);
  const chosen = rows.find(({ id }) => id === chosenId) ?? rows[0];

  function open({ target }: Row, inNewTab: boolean) {
    if ('run' in target || !inNewTab) onClose();
    if ('run' in target) return target.run();
    if ('address' in target) {
      if (!inNewTab) return window.location.assign(target.address);
      return void window.open(target.address, '_blank', 'noopener');
    }
    // A link to another page keeps only the organization.
    const stays = target.keepsSearch === true && router.state.location.pathname === target.to;
    const search = (({ org, ...others }: { readonly org?: string }) => ({
      ...(stays && others),
      ...(org !== undefined && { org }),
      ...target.search,
    })) as never;
    const link = { to: target.to as '/', search };
    if (!inNewTab) return void navigate(link);
    window.open(router.buildLocation(link).publicHref, '_blank', 'noopener');
  }

  function move(by: 1 | -1) {
    const index = chosen === undefined ? -1 : rows.indexOf(chosen);
    const next = rows[(index + by + rows.length) % rows.length];
    if (next !== undefined) setChosenId(next.id);
  }

  async function copy(row: Row) {
    setSaid((await copyText(row.title)) ? words.palette.copied(row.title) : words.palette.notCopied);
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    const { nativeEvent } = event;
    // Input methods use these keys. Browsers without `isComposing` send key code 229 instead.
    if (nativeEvent.isComposing || nativeEvent.keyCode === 229) return event.stopPropagation();
    const isModified = event.ctrlKey || event.metaKey;
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' && chosen !== undefined) open(chosen, isModified);
    else if (nameOfPress(nativeEvent) === 'mod+k') onClose();
    else if (
      nameOfPress(nativeEvent) === 'mod+c' &&
      chosen?.isDevice === true &&
      selectionStart === selectionEnd
    )
      void copy(chosen);
    else return;
    event.preventDefault();
  }

  return (
    <ModalOverlay className={styles.overlay} isOpen isDismissable onOpenChange={onClose}>
      <Modal className={styles.modal}>
        <Dialog className={`floating ${styles.palette}`} aria-label={words.palette.title}>
          <div className={styles.field}>
            <Icon name="search" />
            <input
              className={styles.input}
              role="combobox"
              aria-label={words.palette.search}
              aria-autocomplete="list"
              aria-expanded={rows.length > 0}
              aria-controls={rows.length > 0 ? listId : undefined}
              aria-activedescendant={chosen === undefined ? undefined : `${listId}-${chosen.id}`}
              placeholder={words.palette.placeholder}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              enterKeyHint="go"
              autoFocus
              value={typed}
              onChange={({ target: { value } }) => {
                setTyped(value);
                setChosenId(null);
                setSaid(null);
              }}
              onKeyDown={press}
            />
            <button type="button" className={styles.close} aria-label={words.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          </div>
          <div className={styles.progress} data-running={isSearching || undefined} aria-hidden="true" />
          {rows.length > 0 && (
            <PaletteList
              id={listId}
              groups={groups}
              text={wanted.text}
              chosenId={chosen?.id ?? null}
              onChoose={setChosenId}
              onOpen={open}
            />
          )}
          <PaletteStatus
            isSearching={isSearching}
            error={error}
            count={rows.length}
            text={wanted.text}
            said={said}
          />
          <Footer isDevice={chosen?.isDevice === true} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface PaletteStatusProps {
  readonly isSearching: boolean;
  readonly error: unknown;
  readonly count: number;
  readonly text: string;
  readonly said: string | null;
}

/** Always rendered, so screen readers announce each new text. */
function PaletteStatus(props: PaletteStatusProps) {
  const { error, count, said } = props;
  const isShown = count === 0 || error !== null || said !== null;
  return (
    <p role="status" className={isShown ? styles.status : 'visually-hidden'}>
      {statusOf(props)}
    </p>
  );
}

function statusOf({ isSearching, error, count, text, said }: PaletteStatusProps): string {
  if (said !== null) return said;
  if (error !== null) return isOffline(error) ? words.palette.noConnection : messageOf(error);
  if (isSearching) return words.palette.searching;
  if (count > 0) return text === '' ? '' : words.palette.counted(count);
  return text === '' ? words.palette.nothingYet : words.palette.nothing(text);
}

function Footer({ isDevice }: { readonly isDevice: boolean }) {
  const { hints } = words.palette;
  const shown = [
    ['Enter', hints.open],
    ['mod+Enter', hints.newTab],
    ...(isDevice ? [['mod+c', hints.copy] as const] : []),
    ['>', hints.commands],
    ['#', hints.filters],
    ['@', hints.organizations],
  ] as const;
  return (
    <div className={styles.footer} aria-hidden="true">
      {shown.map(([keys, hint]) => (
        <span key={keys} className={styles.hint}>
          <ShowKeys keys={keys} /> {hint}
        </span>
      ))}
    </div>
  );
}
