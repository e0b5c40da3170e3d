/** What an attack cost the attacker, and what they got for it. */
export class Tally {
  requests = 0;
  readonly #outcomes = new Map<string, number>();

  /** One request, and its status; null where no answer came. */
  count(status: number | null): void {
    this.requests++;
    const outcome = status === null ? 'none' : String(status);
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
  }

  /** How many answers had the status. */
  answered(status: number): number {
    return this.#outcomes.get(String(status)) ?? 0;
  }

  /** How often each outcome was, such as `200 × 3, 429 × 40, none × 2`. */
  get outcomes(): string {
    const sorted = [...this.#outcomes].sort(([a], [b]) => a.localeCompare(b));
    return sorted.map(([outcome, times]) => `${outcome} × ${times.toLocaleString('en')}`).join(', ');
  }
}
