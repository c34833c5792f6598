/** A run that cannot be led on, and why. */
export class NotResumable extends Error {
  override readonly name = 'NotResumable'
}
