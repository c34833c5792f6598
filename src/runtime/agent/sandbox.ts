import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configuringFiles } from '../../adapters/sandbox/configuring-files.ts'
import { openDomainProxy } from '../../adapters/sandbox/domain-proxy.ts'
import { fenced, fenceMissing } from '../../adapters/sandbox/fence.ts'
import { actsOf, putLeftoversAside, type Leaving } from '../../adapters/sandbox/leftovers.ts'
import { resolveHost } from '../../adapters/sandbox/resolve-host.ts'
import { treeIndex } from '../../adapters/sandbox/tree-index.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import type { CommandStart, CommandWrap, WrappedCommand } from '../../protocol/tools/tool.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { isExcluded, leavesSandbox } from '../../rules/permissions/sandboxed-commands.ts'
import { closedHosts, hostReach, sandboxPlan, sandboxWritable } from '../../rules/sandbox/sandbox-plan.ts'
import { bashCommands } from '../../rules/shell/walk/bash-commands.ts'

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
    if (sandboxed.leavable !== false && leavesSandbox(input)) return outside(argv, start)
    const line = input['command']
    const { commands } = bashCommands(typeof line === 'string' ? line : '', { cwd: start.cwd, home })
    if (isExcluded(commands, sandboxed.excluded)) return outside(argv, start)
    const missing = fenceMissing()
    if (missing === null) {
      try {
        return inside(argv, current, start)
      } catch (error) {
        return { trouble: `No command can run in the sandbox: ${errorText(error)}` }
      }
    }
    return sandboxed.required === true
      ? { trouble: `No command can run: the settings require a sandbox and ${missing}` }
      : { argv }
  }
}

/** A command that runs, and what was there when it began. */
type Begun = Omit<Leaving, 'after' | 'temporary'>

/** The commands of one member, which know of each other what was there when each began. */
function memberCommands(policy: () => Policy, home: string, now?: () => number) {
  let proxy: string | undefined
  const wayOut = (): string =>
    (proxy ??= openDomainProxy(
      join(home, '.troupe', 'net'),
      resolveHost({ reach: (host) => hostReach(policy(), host), closed: () => closedHosts(policy()) }),
    ))
  const index = treeIndex(now)
  const running = new Set<Begun>()
  const clear = async (begun: Begun): Promise<string> =>
    putLeftoversAside({ ...begun, temporary: tmpdir(), after: await index.lookBehind(begun.watched) })
  return {
    async outside(argv: WrappedCommand['argv'], { writers }: CommandStart): Promise<WrappedCommand> {
      const [oldest] = running
      const said = oldest === undefined ? '' : await clear({ ...oldest, writers })
      return { argv, behind: () => Promise.resolve(said) }
    },
    inside(argv: WrappedCommand['argv'], current: Policy, { cwd, writers }: CommandStart): WrappedCommand {
      const watched = current.mode === 'plan' ? [] : sandboxWritable(current)
      const before = index.look(watched)
      const begun = { watched, before, acts: actsOf(before), writers }
      const plan = sandboxPlan(current, { home, temporary: tmpdir(), found: configuringFiles(before, home) })
      const program = fenced(argv, plan, plan.network === 'proxied' ? { cwd, proxy: wayOut() } : { cwd })
      running.add(begun)
      const behind = (): Promise<string> => {
        running.delete(begun)
        return clear(begun)
      }
      return { argv: program, behind }
    },
  }
}
