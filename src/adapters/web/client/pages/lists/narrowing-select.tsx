import { Select, SelectItem } from '#console/parts/fields/select.tsx';

export interface NarrowingSelectProps<T extends string> {
  readonly label: string;
  /** What it is called that nothing is chosen. */
  readonly any: string;
  readonly options: Readonly<Record<T, string>>;
  readonly value: T | undefined;
  readonly onChange: (value: T | undefined) => void;
}

const ANY = 'any';

/** Narrows a list to one of few values, or to none of them. */
export function NarrowingSelect<T extends string>(props: NarrowingSelectProps<T>) {
  const { label, any, options, value, onChange } = props;
  return (
    <Select
      aria-label={label}
      value={value ?? ANY}
      onChange={(chosen) => onChange(chosen === ANY ? undefined : (chosen as T))}
    >
      <SelectItem id={ANY}>{any}</SelectItem>
      {Object.entries<string>(options).map(([option, title]) => (
        <SelectItem key={option} id={option}>
          {title}
        </SelectItem>
      ))}
    </Select>
  );
}
