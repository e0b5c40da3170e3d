/** Requests of the attacker and their outcomes. */
export class Tally {
  requests = 0;
  readonly #outcomes = new Map<string, number>();

  /** Counts a request. Some are unfinished when the attack ends. */
  send(): void {
    this.requests++;
  }

  /** Counts an outcome: a status, or null without an answer. */
  receive(status: number | null): void {
    const outcome = status === null ? 'none' : String(status);
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
  }

  /** Such as `200 × 3, 429 × 40, none × 2`. */
  get outcomes(): string {
    const sorted = [...this.#outcomes].sort(([a], [b]) => a.localeCompare(b));
    return sorted.map(([outcome, times]) => `${outcome} × ${times.toLocaleString('en')}`).join(', ');
  }
}
