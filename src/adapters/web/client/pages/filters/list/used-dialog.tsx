import { Link } from '@tanstack/react-router';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';
import type { UsedFilter } from './use-deletions.ts';

const said = words.filters.used;

interface UsedDialogProps {
  readonly used: UsedFilter;
  readonly onForce: () => void;
  readonly onKeep: () => void;
}

/** A filter cannot be deleted while other filters use it. Its subscriptions can end with it (Contract: §17). */
export function UsedDialog({ used: { filter, usedBy, impact }, onForce, onKeep }: UsedDialogProps) {
  const filters = usedBy.filter(({ kind }) => kind === 'filter');
  const subscriptions = usedBy.filter(({ kind }) => kind === 'subscription');
  const isHeld = filters.length > 0;
  return (
    <Dialog title={isHeld ? said.heldTitle(filter.name) : said.title(filter.name)} onClose={onKeep}>
      <p>{isHeld ? said.held : said.text(subscriptions.length)}</p>
      <ul>
        {isHeld
          ? filters.map(({ id, name }) => (
              <li key={id}>
                <Link to="/filters/$id" params={{ id }}>
                  {name}
                </Link>
              </li>
            ))
          : subscriptions.map(({ id, name }) => <li key={id}>{name}</li>)}
      </ul>
      {!isHeld && impact !== null && impact.leaving > 0 && <p>{said.leaving(impact.leaving)}</p>}
      <DialogActions>
        <Button kind={isHeld ? 'primary' : 'quiet'} autoFocus onPress={onKeep}>
          {isHeld ? words.close : words.cancel}
        </Button>
        {!isHeld && (
          <Button kind="danger" onPress={onForce}>
            {said.force}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
