/** What an attack cost the attacker, and what they got for it. */
export class Tally {
  requests = 0;
  readonly #outcomes = new Map<string, number>();

  /** A request begins; some are still under way when the attack is over. */
  send(): void {
    this.requests++;
  }

  /** What came of one: its status, or null where no answer came. */
  receive(status: number | null): void {
    const outcome = status === null ? 'none' : String(status);
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
  }

  /** How often each outcome was, such as `200 × 3, 429 × 40, none × 2`. */
  get outcomes(): string {
    const sorted = [...this.#outcomes].sort(([a], [b]) => a.localeCompare(b));
    return sorted.map(([outcome, times]) => `${outcome} × ${times.toLocaleString('en')}`).join(', ');
  }
}
