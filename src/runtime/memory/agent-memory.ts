import { foreignIndex, writeIndex } from '../../adapters/memory/index-file.ts'
import { addMemory, dropMemory, readMemories, type MemoryFolder } from '../../adapters/memory/memory-folder.ts'
import {
  isPersonal,
  type Memory,
  type MemoryAnswer,
  type MemoryKind,
  type MemoryPort,
  type MemoryWish,
} from '../../protocol/memory/memory.ts'
import type { MemoryPlan } from '../../protocol/team/memory-card.ts'
import { logOf, type Conversation } from '../../rules/conversation/context-window.ts'
import { placeOfCall } from '../../projections/member/call-place.ts'
import type { Logged } from '../../rules/conversation/logged.ts'
import { foreignSection, memorySection, recallText } from '../../rules/memory/memory-text.ts'
import { memoryDraft, quoted } from '../../rules/memory/remember.ts'
import { sharedMemories, sharedMemoryGrant } from '../../rules/settings/settings-trust.ts'
import type { Clock } from '../actors/clock.ts'
import { claudeFolder, eachOnce, memoryFolders, type PersonPlace } from './memory-places.ts'

/** The agent that remembers, and where. */
export interface Remembering extends PersonPlace {
  readonly plan: MemoryPlan
  readonly run?: string | undefined
  readonly member: string
  readonly clock: Pick<Clock, 'now' | 'mint'>
  /** Whether a person trusts this text of the workspace now. */
  readonly trusts: (text: string) => boolean
  readonly conversation: Conversation
  /** Runs inside of another one: who begins a run there is an agent, and no message holds words of a person. */
  readonly depth: number
}

/** The memories of one agent. */
export interface AgentMemory {
  /** The index of what the agent remembers, for its prompt; empty when that is nothing. */
  section(): string
  /**
   * The acts behind the memory tools, for one call.
   * @param entry the entry of the journal that a memory is taken from, where that is not the call
   */
  port(callId: string, entry?: string): MemoryPort
}

/** Opens the memories of an agent: those of its scope and of the wider ones. Shared ones count where a person trusts them. */
export function openAgentMemory(of: Remembering): AgentMemory {
  return {
    section() {
      const claude = foldersOf(of).find(({ foreign }) => foreign)
      const parts = [memorySection(readable(of)), claude === undefined ? '' : foreignSection(foreignIndex(claude))]
      return parts.filter((part) => part !== '').join('\n\n')
    },
    port: (callId, entry) => ({
      remember: (wish) => keep(of, wish, entry ?? placeOfCall(of.conversation, callId)),
      recall(wanted) {
        const found = named(of, wanted)
        return found.length === 0 ? unknownName(wanted) : { text: found.map(recallText).join('\n') }
      },
      async forget({ name: wanted, quote }) {
        const found = named(of, wanted)
        if (found.length === 0) return unknownName(wanted)
        const mayGo = quote !== undefined && quoted(quote, heardBy(of)) !== null
        if (!mayGo && found.some(({ kind }) => isPersonal(kind))) return { trouble: personsOwn }
        const notes = new Set(await drop(of, found))
        return { text: [`${wanted} is forgotten.`, ...notes].join(' ') }
      },
    }),
  }
}

function readable(of: Remembering): readonly Memory[] {
  return foldersOf(of).flatMap((folder) => readMemories(folder).memories)
}

function named(of: Remembering, wanted: string): readonly Memory[] {
  return readable(of).filter(({ name }) => name === wanted)
}

async function keep(
  of: Remembering,
  { replaces, ...wish }: MemoryWish & { readonly replaces?: string | undefined },
  entry: string | null,
): Promise<MemoryAnswer> {
  const draft = memoryDraft(wish, {
    run: of.run,
    member: of.member,
    now: of.clock.now(),
    log: heardBy(of),
    entry,
  })
  if ('trouble' in draft) return draft
  const old = replaces === undefined ? [] : named(of, replaces)
  if (replaces !== undefined && old.length === 0) return unknownName(replaces)
  if (!isPersonal(wish.kind) && old.some(({ kind }) => isPersonal(kind))) return { trouble: personsOwn }
  const folder = targetOf(of, wish.kind)
  const added = await addMemory(folder, draft, of.clock.mint)
  if ('trouble' in added) return added
  const stays = `${folder.path}/${added.name}.md`
  const others = old.filter(({ path }) => path !== stays)
  const notes = new Set([...(await drop(of, others)), ...noteOf(await writeIndex(folder))])
  if (added.known) return { text: [`It is remembered already, as ${added.name}.`, ...notes].join(' ') }
  const said = `Remembered as ${added.name} (${wish.kind}, ${folder.scope}).${untrustedNote(of, folder, wish.kind)}`
  return { text: [said, ...notes].join(' ') }
}

/** The messages that may hold words of a person. */
function heardBy({ conversation, depth }: Remembering): readonly Logged[] {
  return depth > 0 ? [] : logOf(conversation)
}

const personsOwn =
  'This note holds words of the person: it goes, or is replaced, only with a quote of the person that says so, word for word.'

function unknownName(name: string): MemoryAnswer {
  return { trouble: `There is no note "${name.slice(0, 100)}". Take a name from your notes, without ".md".` }
}

/** @returns sentences about indexes that stay as they are */
async function drop(of: Remembering, memories: readonly Memory[]): Promise<readonly string[]> {
  const folders = foldersOf(of)
  const notes: string[] = []
  for (const memory of memories) {
    await dropMemory(memory, of.clock.mint)
    const folder = folders.find(({ path }) => memory.path.startsWith(`${path}/`))
    if (folder) notes.push(...noteOf(await writeIndex(folder)))
  }
  return notes
}

function noteOf(trouble: string | null): readonly string[] {
  return trouble === null ? [] : [`${trouble}.`]
}

/** The folders that an agent reads. */
function foldersOf(of: Remembering): readonly MemoryFolder[] {
  const { user, local, project } = memoryFolders(of)
  const { scope } = of.plan
  const claude = ownFolder(of)
  return eachOnce([
    user,
    ...(scope === 'user' ? [] : [local]),
    ...(scope === 'project' && of.trusts(sharedMemoryGrant) ? [project] : []),
    ...(claude === null ? [] : [claude]),
  ])
}

/** The folder of the subagent that the member is: one that lies in the workspace has to be trusted. */
function ownFolder(of: Remembering): MemoryFolder | null {
  const needed = sharedMemories(of.plan).filter((text) => text !== sharedMemoryGrant)
  return needed.every(of.trusts) ? claudeFolder(of, of.plan) : null
}

/** Words of a person never go where others read them. */
function targetOf(of: Remembering, kind: MemoryKind): MemoryFolder {
  const folders = memoryFolders(of)
  const { scope } = of.plan
  if (kind === 'user') return folders.user
  if (isPersonal(kind)) return scope === 'user' ? folders.user : folders.local
  const wanted = of.plan.claude_agent === undefined ? folders[scope] : ownFolder(of)
  const isOpen = scope !== 'project' || of.plan.claude_agent !== undefined || of.trusts(sharedMemoryGrant)
  return wanted !== null && isOpen ? wanted : folders.local
}

function untrustedNote({ plan }: Remembering, { scope }: MemoryFolder, kind: MemoryKind): string {
  if (isPersonal(kind) || plan.scope !== 'project' || scope === 'project') return ''
  return ' It is not shared: nobody trusted the memories of this workspace yet (troupe trust).'
}
