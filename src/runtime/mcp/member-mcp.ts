import { brokerCredential, brokerSocketOf } from '../../adapters/mcp/broker/broker-place.ts'
import { openBrokerClient } from '../../adapters/mcp/broker/broker-client.ts'
import { readSeen, seenKey } from '../../adapters/mcp/config/seen-listings.ts'
import type { ServerView } from '../../protocol/mcp/broker-message.ts'
import type { McpServerSpec } from '../../protocol/mcp/server-spec.ts'
import { mcpServersOf } from '../../rules/mcp/member-servers.ts'
import type { ForeignTools } from '../agent/foreign-tools.ts'
import type { SkillWish } from '../../protocol/skills/skill.ts'
import { askPrompt } from './server-prompts.ts'
import { openBell } from './bell.ts'
import { foreignTools } from './offered-tools.ts'
import { entryOf, type MemberMcpOptions, type ServerSight } from './server-sight.ts'

/** The servers of one member, as it sees them. */
export interface MemberMcp {
  /** The tools of all servers at this moment; the very same object until something changed. */
  foreign(): ForeignTools
  /** The text of a prompt that a person called; null where none of its servers has that name. */
  prompt(wish: SkillWish, signal: AbortSignal): Promise<string | null>
  /** Resolves when every server that members wait for has answered, or will not. */
  ready(): Promise<void>
  close(): void
}

/**
 * Opens a member's way to its servers; null for a member that has none. At first its tools are those that each server had
 * when it was last connected; they change between turns alone, because whoever asks for them does so once a turn.
 */
export function openMemberMcp(options: MemberMcpOptions): MemberMcp | null {
  const { team, card, runDir, runKey, home } = options
  const servers = mcpServersOf(card, team)
  if (servers.length === 0) return null
  const views = new Map(servers.map((name) => [name, firstView(name, home, entryOf(team, name))]))
  const bell = openBell()
  let made: ForeignTools | null = null
  const client = openBrokerClient({
    place: () => brokerSocketOf(runDir),
    member: card.name,
    credential: brokerCredential(runKey, card.name),
    seen(news) {
      for (const view of news) views.set(view.name, settled(view, views.get(view.name)))
      made = null
      bell.ring()
    },
  })
  const sight: ServerSight = { options, views, made: new Map(), client, changed: bell.rung, renew: () => (made = null) }
  const leave = new AbortController()
  const waits = ({ name, state }: ServerView): boolean => state === 'pending' && entryOf(team, name).required === true
  return {
    foreign: () => (made ??= foreignTools(sight)),
    prompt: (wish, signal) => askPrompt(sight, wish, signal),
    async ready() {
      while ([...views.values()].some(waits) && !leave.signal.aborted) await bell.rung(leave.signal)
    },
    close() {
      leave.abort()
      client.close()
    },
  }
}

/**
 * A view beside the one before: while a server is being connected it is expected to offer what it offered last, and an
 * offer that is the same is the same object, of which the tools are there already.
 */
function settled(view: ServerView, before: ServerView | undefined): ServerView {
  const known = before?.listing ?? null
  if (view.seen !== before?.seen) return view
  const isSame = view.listing !== null && known !== null && JSON.stringify(view.listing) === JSON.stringify(known)
  return view.state === 'pending' || isSame ? { ...view, listing: known } : view
}

function firstView(name: string, home: string, spec: McpServerSpec): ServerView {
  const seen = seenKey(name, spec)
  const listing = readSeen(home, seen)?.listing ?? null
  return { name, state: 'pending', reason: '', listing, seen, believed: spec.trustAnnotations === true }
}
