import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginning } from '../../adapters/sandbox/beginning.ts'
import { clearInterrupted, noteBegun } from '../../adapters/sandbox/begun-notes.ts'
import { configuringFiles } from '../../adapters/sandbox/configuring-files.ts'
import { openDomainProxy } from '../../adapters/sandbox/domain-proxy.ts'
import { fenced, fenceMissing } from '../../adapters/sandbox/fence.ts'
import type { Leaving } from '../../adapters/sandbox/leaving.ts'
import { putLeftoversAside } from '../../adapters/sandbox/leftovers.ts'
import { resolveReal } from '../../adapters/fs/resolve-real.ts'
import { resolveHost } from '../../adapters/sandbox/resolve-host.ts'
import { treeIndex } from '../../adapters/sandbox/tree-index.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import type { CommandStart, CommandWrap, WrappedCommand } from '../../protocol/tools/tool.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { isExcluded, leavesSandbox } from '../../rules/permissions/sandboxed-commands.ts'
import { closedHosts, hostReach, sandboxPlan, sandboxWritable } from '../../rules/sandbox/sandbox-plan.ts'
import { bashCommands } from '../../rules/shell/walk/bash-commands.ts'
import { makeSecretPlaces } from '../settings/server-tokens.ts'

/**
 * Puts a member's shell commands into the sandbox that its policy asks for. Commands that the settings keep outside, and
 * calls that may ask for it, run as they are; where there is no sandbox, required ones do not run at all. What a command left that
 * would run outside is put aside behind it, and before any command of the member runs outside.
 *
 * @example await commandWrap(() => policy, home, clock.now)({ command: 'make' }, ['bash', '-c', 'make'], { cwd })
 */
export function commandWrap(policy: () => Policy, home: string, now?: () => number): CommandWrap {
  const { inside, outside } = memberCommands(policy, home, now)
  return async (input, argv, start) => {
    const current = policy()
    const { sandboxed } = current
    if (sandboxed === undefined) return { argv }
    const earlier = await clearInterrupted(home, { writers: start.writers, now: now?.() })
    const told = ({ argv: program, behind }: WrappedCommand): WrappedCommand => ({
      argv: program,
      behind: async () => `${earlier}${(await behind?.()) ?? ''}`,
    })
    if (sandboxed.leavable !== false && leavesSandbox(input)) return told(await outside(argv, start))
    const line = input['command']
    const { commands } = bashCommands(typeof line === 'string' ? line : '', { cwd: start.cwd, home })
    if (isExcluded(commands, sandboxed.excluded)) return told(await outside(argv, start))
    const missing = fenceMissing()
    if (missing === null) {
      try {
        return told(inside(argv, current, start))
      } catch (error) {
        return { trouble: `No command can run in the sandbox: ${errorText(error)}` }
      }
    }
    return sandboxed.required === true
      ? { trouble: `No command can run: the settings require a sandbox and ${missing}` }
      : { argv }
  }
}

/** A place that is named inside of a working directory and lies elsewhere: commands of others may have put a link there. */
function refuseStray(places: readonly string[], directories: readonly string[]): void {
  for (const path of places) {
    const around = directories.filter((dir) => isInside(dir, path) && !isInside(path, dir))
    if (around.length > 0 && !around.some((dir) => isInside(resolveReal(dir), resolveReal(path))))
      throw new Error(`${path} is a link out of the working directory: name the place itself`)
  }
}

/** A command that runs, and what was there when it began. */
type Begun = Omit<Leaving, 'after' | 'temporary'>

/** A program with the note that it begins, which stands only where there is one. */
function noted(home: string, begun: Begun, make: (name: string) => WrappedCommand['argv']) {
  const note = noteBegun(home, begun)
  try {
    return { program: make(note.path), note }
  } catch (error) {
    note.remove()
    throw error
  }
}

/** The proxy of a member, opened with the first command that needs it. */
function wayOutOf(policy: () => Policy, home: string): () => string {
  let proxy: string | undefined
  const reach = resolveHost({ reach: (host) => hostReach(policy(), host), closed: () => closedHosts(policy()) })
  return () => (proxy ??= openDomainProxy(join(home, '.troupe', 'net'), reach))
}

/** The commands of one member, which know of each other what was there when each began. */
function memberCommands(policy: () => Policy, home: string, now?: () => number) {
  const wayOut = wayOutOf(policy, home)
  const index = treeIndex(now)
  const running = new Set<Begun>()
  const clear = async (begun: Begun): Promise<string> =>
    putLeftoversAside({
      ...begun,
      temporary: tmpdir(),
      after: await index.lookBehind(begun.watched, begun.before.shut),
    })
  return {
    async outside(argv: WrappedCommand['argv'], { writers }: CommandStart): Promise<WrappedCommand> {
      const [oldest] = running
      const said = oldest === undefined ? '' : await clear({ ...oldest, writers })
      return { argv, behind: () => Promise.resolve(said) }
    },
    inside(argv: WrappedCommand['argv'], current: Policy, { cwd, writers }: CommandStart): WrappedCommand {
      makeSecretPlaces(home)
      const watched = current.mode === 'plan' ? [] : sandboxWritable(current)
      refuseStray(watched, current.directories)
      const look = index.look(watched)
      const begun = { ...beginning(look, watched, [...running]), writers }
      // A command that goes on may exchange what it made itself: nothing of that is mounted.
      const found = configuringFiles({ ...begun.before, seen: look.seen }, home)
      const plan = sandboxPlan(current, { home, temporary: tmpdir(), found })
      const place = plan.network === 'proxied' ? { cwd, proxy: wayOut() } : { cwd }
      const { program, note } = noted(home, begun, (name) => fenced(argv, plan, { ...place, name }))
      running.add(begun)
      const behind = async (): Promise<string> => {
        running.delete(begun)
        const said = await clear(begun)
        note.remove()
        return said
      }
      return { argv: program, behind }
    },
  }
}
