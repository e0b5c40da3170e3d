/** The values of a name's TXT records; none if there are none. Null if no name server answers in time. */
export type ResolveTxt = (name: string) => Promise<readonly string[] | null>;
