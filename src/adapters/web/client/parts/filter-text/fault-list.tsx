import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import styles from './filter-text-input.module.css';

/** `start` and `end` are in UTF-16 code units. */
export interface ShownFault {
  readonly start?: number;
  readonly end?: number;
  readonly message: string;
  readonly suggestions?: readonly string[];
}

export interface FaultListProps {
  readonly id: string;
  readonly faults: readonly ShownFault[];
  readonly text: string;
  readonly onMend: (text: string) => void;
}

const MAX_SHOWN = 3;
const MAX_SUGGESTED = 3;

export function FaultList({ id, faults, text, onMend }: FaultListProps) {
  if (faults.length === 0) return null;
  return (
    <div id={id} role="alert" className={styles.faults}>
      {faults.slice(0, MAX_SHOWN).map(({ start = 0, end = 0, message, suggestions = [] }) => {
        const piece = text.slice(start, end);
        return (
          <p key={`${start} ${message}`}>
            <span>
              {piece !== '' && !message.includes(bareValue(piece))
                ? words.devices.faultAt(piece) + message
                : message.charAt(0).toUpperCase() + message.slice(1)}
            </span>
            {suggestions.slice(0, MAX_SUGGESTED).map((suggestion) => (
              <Button
                key={suggestion}
                isCompact
                onPress={() => onMend(text.slice(0, start) + suggestion + text.slice(end))}
              >
                {words.devices.use(suggestion)}
              </Button>
            ))}
          </p>
        );
      })}
      {faults.length > MAX_SHOWN && <p>{words.devices.moreFaults(faults.length - MAX_SHOWN)}</p>}
    </div>
  );
}

/** The text without comparison signs. Messages quote `>abc` as `abc`. */
function bareValue(piece: string): string {
  return piece.replace(/^[<>=]+/, '');
}
