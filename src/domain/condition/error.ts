/** A condition that cannot be read. The message names the expected text and the text found. */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
  /** Index into the text of the condition, 0 to its length. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}
