/** The TXT records of a domain name. Null if no name server answers in time. */
export type ResolveTxt = (name: string) => Promise<readonly string[] | null>;
