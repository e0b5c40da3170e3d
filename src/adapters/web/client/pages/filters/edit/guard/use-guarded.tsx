import { Fragment, type ReactNode, useState } from 'react';
import type { DeviceRow, Impact } from '#adapters/http/api-types.ts';
import { ApiError } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { DeviceLink } from '#console/parts/display/device-link.tsx';
import { Dialog, DialogActions } from '#console/parts/layout/dialog.tsx';

const said = words.filters.guard;

/** Empty until the user has confirmed. */
export type Confirmed = { readonly confirm?: Pick<Impact, 'version' | 'entering' | 'leaving'> };

export interface Guarded {
  /** If a guard stops the change, asks for confirmation, and again if the numbers change. Null if declined. */
  readonly send: <T>(change: (confirmed: Confirmed) => Promise<T>) => Promise<T | null>;
  readonly dialog: ReactNode;
}

interface Question {
  readonly impact: Impact;
  readonly isAgain: boolean;
  readonly answer: (isConfirmed: boolean) => void;
}

/** `anyway` is the label of the button, such as "Save anyway". */
export function useGuarded(anyway: string): Guarded {
  const [question, setQuestion] = useState<Question | null>(null);

  async function isConfirmed(impact: Impact, isAgain: boolean): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    setQuestion({ impact, isAgain, answer: resolve });
    const answer = await promise;
    setQuestion(null);
    return answer;
  }

  return {
    send: async (change) => {
      let confirmed: Confirmed = {};
      for (;;) {
        try {
          return await change(confirmed);
        } catch (error) {
          if (!(error instanceof ApiError) || error.impact === null) throw error;
          if (!(await isConfirmed(error.impact, confirmed.confirm !== undefined))) return null;
          confirmed = confirmationOf(error.impact);
        }
      }
    },
    dialog: question !== null && <GuardDialog {...question} anyway={anyway} />,
  };
}

export function confirmationOf({ version, entering, leaving }: Impact): Confirmed {
  return { confirm: { version, entering, leaving } };
}

function GuardDialog({ impact, isAgain, answer, anyway }: Question & { readonly anyway: string }) {
  const { before, entering, leaving } = impact;
  return (
    <Dialog title={said.title} onClose={() => answer(false)}>
      {isAgain && <p>{said.again}</p>}
      <p>{said.text}</p>
      <p>
        <strong>{said.moved(entering, leaving, before)}</strong>
      </p>
      <WhoIsAffected impact={impact} />
      <DialogActions>
        <Button kind="quiet" autoFocus onPress={() => answer(false)}>
          {words.cancel}
        </Button>
        <Button kind="danger" onPress={() => answer(true)}>
          {anyway}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Lists the first devices that would enter and leave, and what uses the filter. */
export function WhoIsAffected({ impact }: { readonly impact: Impact }) {
  const { entering, leaving, samples, usedBy } = impact;
  return (
    <>
      <Sample title={said.entering} devices={samples.entering} count={entering} />
      <Sample title={said.leaving} devices={samples.leaving} count={leaving} />
      {usedBy.length > 0 && <p>{said.usedBy(usedBy.map(({ name }) => name))}</p>}
    </>
  );
}

interface SampleProps {
  readonly title: string;
  readonly devices: readonly DeviceRow[];
  readonly count: number;
}

function Sample({ title, devices, count }: SampleProps) {
  if (count === 0) return null;
  return (
    <p>
      {title}{' '}
      {devices.map((device, i) => (
        <Fragment key={device.id}>
          {i > 0 && ', '}
          <DeviceLink id={device.id}>{nameOf(device)}</DeviceLink>
        </Fragment>
      ))}
      {count > devices.length && ` ${said.more(count - devices.length)}`}
    </p>
  );
}
