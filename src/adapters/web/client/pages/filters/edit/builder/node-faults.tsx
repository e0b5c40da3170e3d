import styles from './node-faults.module.css';

/** By which a field says that its faults describe it. */
export function faultsId(id: number): string {
  return `faults-${id}`;
}

/** What is wrong at one node, in the words of the domain. */
export function NodeFaultList({
  id,
  messages,
}: {
  readonly id: number;
  readonly messages: readonly string[];
}) {
  if (messages.length === 0) return null;
  return (
    <ul id={faultsId(id)} className={styles.faults}>
      {messages.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  );
}
