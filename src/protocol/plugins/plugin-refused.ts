/** A plugin that is not taken, with the reason in words for people. */
export class PluginRefused extends Error {
  override readonly name = 'PluginRefused'
}
