/** What the makers of Windows computers ship with them. */
import { type SoftwareTitle, title } from './software-title.ts';

const LENOVO: readonly SoftwareTitle[] = [
  title('Lenovo System Update', 0.6, '5.08.03.59', '5.07.0131'),
  title('Lenovo Vantage Service', 0.35, '4.0.52.0', '3.13.53.0'),
];

/** Titles by manufacturer; none for the others. */
export const VENDOR_SOFTWARE: Readonly<Record<string, readonly SoftwareTitle[]>> = {
  'Dell Inc.': [
    title('Dell Command | Update for Windows Universal', 0.6, '5.5.0', '5.4.0', '4.8.0'),
    title('Dell SupportAssist', 0.25, '4.8.2.29006', '3.14.0.91'),
  ],
  LENOVO,
  Lenovo: LENOVO,
  HP: [
    title('HP Support Assistant', 0.45, '9.47.41.0', '8.8.34.31'),
    title('HP Image Assistant', 0.3, '5.3.2', '5.1.6'),
  ],
  'Microsoft Corporation': [title('Surface', 0.8, '76.2508.139.0', '69.1040.139.0')],
};
