import styles from './show-keys.module.css';

const IS_APPLE = /Mac|iP(?:hone|ad|od)/.test(navigator.platform);

const CAPS: Readonly<Record<string, string>> = IS_APPLE
  ? { mod: '⌘', shift: '⇧', Escape: 'Esc', Enter: '↵' }
  : { mod: 'Ctrl', shift: 'Shift', Escape: 'Esc' };

export function ShowKeys({ keys }: { readonly keys: string }) {
  return (
    <span className={styles.keys}>
      {keys.split(/[ +]/).map((key) => (
        <kbd key={key} className={styles.cap}>
          {capOf(key)}
        </kbd>
      ))}
    </span>
  );
}

function capOf(key: string): string {
  return CAPS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
