import { UsageError } from '../../protocol/words/usage-error.ts'

/** A run that cannot be led on, and why. */
export class NotResumable extends UsageError {
  override readonly name = 'NotResumable'
}
