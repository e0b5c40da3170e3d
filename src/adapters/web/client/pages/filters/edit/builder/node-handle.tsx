import type { KeyboardEvent } from 'react';
import { words } from '#console/app/words.ts';
import type { DraftGroup } from '#console/pages/filters/tree/draft-tree.ts';
import {
  duplicate,
  locate,
  moveTo,
  placeTowards,
  type Rearranged,
  unwrap,
  WAYS,
  type Way,
  wrap,
} from '#console/pages/filters/tree/rearrange.ts';
import { Menu, MenuItem } from '#console/parts/actions/menu.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { useBuilder } from './builder-context.ts';
import { beginDrag } from './drag-node.ts';
import styles from './node-handle.module.css';

const STEPS = [...WAYS, 'duplicate', 'wrap', 'unwrap'] as const;
export type Step = (typeof STEPS)[number];

/** Null if the step is impossible. */
export function rearranged(tree: DraftGroup, id: number, step: Step): Rearranged | null {
  if (step === 'duplicate') return duplicate(tree, id);
  if (step === 'wrap') return withFocus(wrap(tree, id), id);
  if (step === 'unwrap') {
    const found = locate(tree, id)?.node;
    return withFocus(unwrap(tree, id), (found?.kind === 'group' ? found.members[0]?.id : undefined) ?? id);
  }
  const place = placeTowards(tree, id, step);
  return place === null ? null : withFocus(moveTo(tree, id, place), id);
}

export function withFocus(tree: DraftGroup | null, id: number): Rearranged | null {
  return tree === null ? null : { tree, id };
}

const KEYS: Readonly<Record<string, Way>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};

export function NodeHandle({ id, label }: { readonly id: number; readonly label: string }) {
  const { rearrange, drop, openMenu } = useBuilder();
  const onKeyDown = (event: KeyboardEvent) => {
    const way = KEYS[event.key];
    if (way === undefined || !event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    rearrange(id, way);
  };
  return (
    <button
      type="button"
      className={styles.handle}
      data-handle={id}
      aria-label={words.filters.rearrange(label)}
      aria-haspopup="menu"
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight"
      title={words.filters.rearrangeHint}
      onPointerDown={(event) => beginDrag(event, (place, isCopy) => drop(id, place, isCopy))}
      onKeyDown={onKeyDown}
      onClick={({ currentTarget }) => openMenu(id, currentTarget)}
    >
      <Icon name="grip" />
    </button>
  );
}

interface NodeMenuProps {
  readonly tree: DraftGroup;
  /** The node whose menu is open. All nodes share one menu. */
  readonly opened: { readonly id: number; readonly handle: HTMLElement } | null;
  readonly onClose: () => void;
  readonly onStep: (step: Step) => void;
}

export function NodeMenu({ tree, opened, onClose, onStep }: NodeMenuProps) {
  if (opened === null) return null;
  const steps = STEPS.filter((step) => rearranged(tree, opened.id, step) !== null);
  return (
    <Menu
      aria-label={words.filters.rearrangeMenu}
      placement="bottom start"
      autoFocus="first"
      triggerRef={{ current: opened.handle }}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      onAction={(key) => {
        const step = STEPS.find((one) => one === key);
        onClose();
        if (step !== undefined) onStep(step);
      }}
    >
      {steps.map((step) => (
        <MenuItem key={step} id={step}>
          {words.filters.steps[step]}
        </MenuItem>
      ))}
    </Menu>
  );
}
