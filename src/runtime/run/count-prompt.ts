import { userMessage } from '../../protocol/conversation/message.ts'
import type { Model, ModelRequest } from '../../protocol/models/model.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { ProviderSpecs } from '../../protocol/words/provider-spec.ts'
import { contextText, systemText } from '../../rules/prompt/section.ts'
import { readTrust, workspaceOf } from '../../adapters/settings/trust-file.ts'
import { systemClock } from '../actors/clock.ts'
import { openModels, serversOf } from '../models/open-models.ts'
import { promptParts, shownPrompt, type PromptParts, type PromptPlace, type ShownPrompt } from './show-prompt.ts'

interface CountingPlace extends PromptPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Servers that the settings name. */
  readonly servers: ProviderSpecs
}

/**
 * The parts of a member's prompt, each with the tokens that the server of its model counts for it: the difference that the
 * part makes to what stands before it.
 *
 * @throws Error for a member that is not there, and a model whose server cannot be asked or does not count
 * @example (await countPrompt(team, 'lead', { cwd, home, now, env, servers })).counted_by // 'anthropic/claude-opus-5'
 */
export async function countPrompt(team: ResolvedTeam, member: string, place: CountingPlace): Promise<ShownPrompt> {
  const parts = await promptParts(team, member, place)
  const model = await openOwn(team, parts, place)
  const shown = shownPrompt(team, parts)
  const counts = await Promise.all(
    [...shown.sections.keys(), shown.sections.length].map((size) => countedFirst(model, parts, size)),
  )
  const sections = shown.sections.map((section, n) => ({ ...section, tokens: (counts[n + 1] ?? 0) - (counts[n] ?? 0) }))
  return { ...shown, counted_by: model.name, sections }
}

async function openOwn(
  team: ResolvedTeam,
  { card }: PromptParts,
  { cwd, home, env, servers }: CountingPlace,
): Promise<Model> {
  const trusted = readTrust(home).trust.get(workspaceOf(cwd, home)) ?? []
  const known = serversOf(team, { providers: servers, trusted })
  const { models } = await openModels({ ...team, members: [card] }, { env, home, servers: known, clock: systemClock() })
  const model = models.get(card.model)
  if (model?.count === undefined) throw new Error(notCounted(card.model))
  return model
}

/** The tokens of a request that holds the first parts of a prompt, and a word that begins the conversation. */
async function countedFirst(model: Model, { card, tools, sections }: PromptParts, size: number): Promise<number> {
  const first = sections.slice(0, Math.max(0, size - 1))
  const request: ModelRequest = {
    agent: card.name,
    system: systemText(first),
    messages: [userMessage(`${contextText(first)}\nBegin.`)],
    tools: size === 0 ? [] : tools,
  }
  const tokens = await model.count?.(request, AbortSignal.timeout(30_000))
  if (typeof tokens !== 'number') throw new Error(notCounted(model.name))
  return tokens
}

function notCounted(model: string): string {
  return `the server of ${model} does not count tokens; without --count the sizes are estimates`
}
