import type { FieldProblem } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/button.tsx';
import styles from './fault-list.module.css';

export interface FaultListProps {
  readonly id: string;
  readonly faults: readonly FieldProblem[];
  readonly text: string;
  readonly onMend: (fault: FieldProblem, suggestion: string) => void;
}

/** More at once would help nobody. */
const MAX_SHOWN = 3;

/** What is wrong with a filter text, with what could stand there instead as buttons. */
export function FaultList({ id, faults, text, onMend }: FaultListProps) {
  if (faults.length === 0) return null;
  return (
    <div id={id} role="alert" className={styles.faults}>
      {faults.slice(0, MAX_SHOWN).map((fault) => {
        const { start = 0, end = 0, message, suggestions = [] } = fault;
        const piece = text.slice(start, end);
        return (
          <p key={`${start} ${message}`}>
            <span>
              {piece !== '' && piece !== text && words.devices.faultAt(piece)}
              {message}
            </span>
            {suggestions.map((suggestion) => (
              <Button key={suggestion} isCompact onPress={() => onMend(fault, suggestion)}>
                {words.devices.use(suggestion)}
              </Button>
            ))}
          </p>
        );
      })}
    </div>
  );
}
