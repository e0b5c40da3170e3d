import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from 'react-aria-components';
import styles from './switch.module.css';

export interface SwitchProps extends Omit<AriaSwitchProps, 'children'> {
  readonly label: string;
}

export function Switch({ label, ...props }: SwitchProps) {
  return (
    <AriaSwitch {...props} className={styles.switch}>
      <span className={styles.track} aria-hidden="true" />
      {label}
    </AriaSwitch>
  );
}
