import { UsageError } from '../../protocol/words/usage-error.ts'

/** A vague task that nobody was there to explain. */
export class VagueTask extends UsageError {
  override readonly name = 'VagueTask'
}
