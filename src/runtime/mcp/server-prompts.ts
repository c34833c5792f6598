import { readSeen, seenKey } from '../../adapters/mcp/config/seen-listings.ts'
import { readRunFile } from '../../adapters/sessions/read-run.ts'
import type { McpServers } from '../../protocol/mcp/server-spec.ts'
import { textOf } from '../../protocol/conversation/message.ts'
import type { SkillWish } from '../../protocol/skills/skill.ts'
import { promptName, promptHint, promptInput } from '../../rules/mcp/prompt-command.ts'
import { resultBlocks } from '../../adapters/tools/mcp/result-blocks.ts'
import type { ServerSight } from './server-sight.ts'

/** A prompt of a server as people see it. */
export interface ServerPrompt {
  readonly name: string
  readonly server: string
  readonly description: string
  readonly hint: string | undefined
}

/** The prompts that servers offered when they were last connected: `promptsOf(servers, home).map(({ name }) => name)`. */
export function promptsOf(servers: McpServers, home: string): readonly ServerPrompt[] {
  return Object.entries(servers).flatMap(([server, spec]) =>
    (readSeen(home, seenKey(server, spec))?.listing.prompts ?? []).map((prompt) => ({
      name: promptName(server, prompt.name),
      server,
      description: prompt.description,
      hint: promptHint(prompt),
    })),
  )
}

/** The prompts of the servers of a run, as they are known at each call: `runPrompts(dir, home)()`. */
export function runPrompts(dir: string, home: string): () => readonly ServerPrompt[] {
  const entries = Object.entries(readRunFile(dir)?.team.mcp_servers ?? {})
  const servers = Object.fromEntries(entries.map(([name, { spec }]) => [name, spec]))
  return () => promptsOf(servers, home)
}

/**
 * Asks a member's server for the prompt that a person called. One that is still being connected is waited for.
 *
 * @returns the text, or in brackets why there is none; null where no server of the member has that name
 */
export async function askPrompt(
  { views, client, changed, options: { traceparent } }: ServerSight,
  { skill, args }: SkillWish,
  signal: AbortSignal,
): Promise<string | null> {
  const [, server = ''] = /^mcp__(.+?)__/.exec(skill) ?? []
  const view = () => views.get(server)
  if (view() === undefined) return null
  while (view()?.listing === null && view()?.state === 'pending' && !signal.aborted) await changed(signal)
  const prompts = view()?.listing?.prompts ?? []
  const prompt = prompts.find(({ name }) => promptName(server, name) === skill)
  const names = prompts.map(({ name }) => `/${promptName(server, name)}`).join(', ') || 'none'
  if (prompt === undefined) return `[${server} has no such prompt; it offers ${names}.]`
  const given = promptInput(prompt, args)
  if ('trouble' in given) return `[/${skill} was not asked: ${given.trouble}.]`
  const asked = { kind: 'prompt', prompt: prompt.name, input: given.input, traceparent: traceparent() } as const
  const question = () => Promise.resolve({ refusal: 'a prompt is asked for, and nobody can be asked meanwhile' })
  const answer = await client.ask(server, asked, { signal, progress: () => undefined, question })
  if ('trouble' in answer) return `[${server} gave no prompt: ${answer.trouble}]`
  return textOf({ content: resultBlocks(server, answer) })
}
