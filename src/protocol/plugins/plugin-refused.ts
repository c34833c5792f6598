import { UsageError } from '../words/usage-error.ts'

/** A plugin that is not taken, with the reason in words for people. */
export class PluginRefused extends UsageError {
  override readonly name = 'PluginRefused'
}
