/** A condition that cannot be read: one sentence that says what was expected and what came. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
  /** Index into the text of the condition, 0 to its length. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}
