/** Names of the built-in tools, as models call them. */
export interface KnownTools {
  readonly tools: readonly { readonly name: string; readonly aliases: readonly string[] }[]
  /** Tools with which a coordinator moves its team. */
  readonly coordinator: readonly string[]
}

/** Names of tools that a team file is judged by. The tools are loaded when the names are first wanted. */
export async function knownTools(): Promise<KnownTools> {
  const { builtinTools, coordinatorToolNames } = await import('./registry.ts')
  return { tools: builtinTools.map(({ name, aliases }) => ({ name, aliases })), coordinator: coordinatorToolNames }
}
