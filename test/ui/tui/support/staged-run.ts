import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { livePlace } from '../../../../src/adapters/live/live-place.ts'
import { openLiveSocket } from '../../../../src/adapters/live/live-socket.ts'
import { ownProcess } from '../../../../src/adapters/process/liveness.ts'
import { createRun } from '../../../../src/adapters/sessions/run-directory.ts'
import type { ApprovalFile } from '../../../../src/protocol/permissions/approval-file.ts'
import type { Fact } from '../../../../src/protocol/facts/fact.ts'
import { agentId } from '../../../../src/protocol/words/ids.ts'
import type { LiveEvent } from '../../../../src/protocol/facts/live.ts'
import { noUsage, userMessage, type AssistantMessage } from '../../../../src/protocol/conversation/message.ts'
import { openOwned } from '../../../../src/runtime/journals/ledger.ts'
import type { Player } from '../../../../src/runtime/replay/play-run.ts'
import { listOptions, type ListOptions } from '../../../../src/runtime/settings/list-options.ts'
import { readCast, type RunCast } from '../../../../src/runtime/runs/read-cast.ts'
import { questionText } from '../../../../src/ui/cli/text/question-text.ts'
import { attach } from '../../../../src/ui/tui/attach.ts'
import { countingMint } from '../../../contracts/mail-world.ts'
import { sampleTeam } from '../../../contracts/sample-team.ts'
import { tempDir } from '../../../runtime/support/stage.ts'
import type { Emulator } from './emulator.ts'
import { everyEntry } from '../../../support/every-entry.ts'

/** A run that a test writes, as its processes would: led by this one, with a live socket. */
export interface StagedRun {
  readonly dir: string
  readonly cast: RunCast
  /** Appends to a journal, and says so at the live socket. */
  tell(owner: string, ...facts: readonly Fact[]): void
  /** Says something lossy. */
  say(event: LiveEvent): void
  /** Resolves when so many screens listen. */
  listened(): Promise<void>
  /** Files that were opened in the editor, with their lines. */
  readonly edited: (readonly [file: string, line: number])[]
  /** Lets time go by for the screens. */
  pass(ms: number): void
  /** Shows the run on a terminal; resolves when the screen is left. Questions are described as attach does where `isWhole`. */
  show(terminal: Emulator, member?: string, isWhole?: boolean, player?: Player): Promise<void>
}

/** A run of these members, the first one leads. */
export function stagedRun(names: readonly string[]): StagedRun {
  const cwd = tempDir()
  const mint = countingMint()
  const home = join(cwd, 'home')
  const clock = { now: () => 1 }
  const team = sampleTeam(names)
  const root = join(cwd, '.troupe/runs')
  const run = createRun({ root, home, team, task: 'Go.', cwd, git_head: null, ulid: mint(), created: 1 })
  openOwned({ run, clock }, { owner: 'team', incarnation: mint() }, everyEntry)
  const path = livePlace({ dir: run.dir, owner: 'team', env: { XDG_RUNTIME_DIR: cwd } })
  const heard = Promise.withResolvers<void>()
  const failed = (reason: string): void => heard.reject(new Error(reason))
  // What models are saying now, for a screen that comes late, as a leader keeps it.
  const saying = new Map<string, string>()
  const missed = (): readonly LiveEvent[] =>
    [...saying].map(([member, text]) => ({ type: 'text.delta' as const, member, text }))
  const socket = openLiveSocket({ path: path ?? '', member: 'team', failed, missed, heard: () => heard.resolve() })
  onTestFinished(() => socket.close())
  const journals = new Map(
    ['team', ...names].map((name) => [name, run.openJournal(name, clock.now, everyEntry).journal]),
  )
  const file = { incarnation: mint(), executor: 'in-process', ...ownProcess(), pane: null, unread: 0, live: path }
  for (const name of names) run.writeMember({ ...file, id: agentId(name, team.name), state: 'busy' })
  const cast = readCast(run.dir)
  if (!cast) throw new Error('the run was not written')
  let now = 1_000
  const edited: (readonly [string, number])[] = []
  return {
    dir: run.dir,
    cast,
    edited,
    tell(owner, ...facts) {
      if (facts.some(({ type }) => type === 'model.settled' || type === 'message.appended')) saying.delete(owner)
      for (const { seq } of journals.get(owner)?.append(facts) ?? []) socket.say({ type: 'entry', member: owner, seq })
    },
    say(event) {
      if (event.type === 'text.delta') saying.set(event.member, (saying.get(event.member) ?? '') + event.text)
      socket.say(event)
    },
    listened: () => heard.promise,
    pass(ms) {
      now += ms
    },
    show(terminal, member, isWhole = false, player) {
      const whole = ({ tool, input, task, ...asked }: ApprovalFile): Promise<string> =>
        questionText({ ...asked, call: { tool, input }, ...(task === null ? {} : { task }) }, cwd, (_, text) => text)
      const describe = isWhole ? whole : async (): Promise<string> => 'Described.'
      const to = {
        dir: run.dir,
        run: cast,
        member: member ?? null,
        home,
        describe,
        call: () => undefined,
        options: (chosen: Pick<ListOptions, 'choose' | 'members'>) =>
          listOptions(run.dir, { ...chosen, home, env: {}, policyRoot: join(cwd, 'policy') }),
        env: {},
        player,
        troupe: async (args: readonly string[]) => `ran: ${args.slice(0, 1).join('')}\n${'line\n'.repeat(60)}end`,
        now: () => now,
        monotonic: () => now,
        edit: async ({ file, line }: { readonly file: string; readonly line: number }) => {
          edited.push([file, line])
        },
      }
      const stop = new AbortController()
      onTestFinished(() => stop.abort())
      const paint = (_: string, text: string): string => text
      return attach({ ...to, signal: stop.signal }, { ...terminal, paint, onExit: () => () => undefined })
    },
  }
}

/** An assistant's message: words and calls. */
export function spoken(text: string, ...calls: readonly (readonly [id: string, tool: string, input: object])[]): Fact {
  const uses = calls.map(([id, name, input]) => ({ type: 'tool_use' as const, id, name, input }))
  const words = text === '' ? [] : [{ type: 'text' as const, text }]
  const message: AssistantMessage = {
    role: 'assistant',
    model: 'scripted/demo.script.yaml',
    content: [...words, ...uses],
    stop: calls.length > 0 ? 'tools' : 'end',
    usage: noUsage,
  }
  return { type: 'message.appended', message }
}

export function asked(text: string): Fact {
  return { type: 'message.appended', message: userMessage(text) }
}

export function returned(call_id: string, tool: string, text: string): Fact {
  const result = { call_id, tool, content: [{ type: 'text' as const, text }], is_error: false }
  return { type: 'message.appended', message: { role: 'tool', results: [result] } }
}
