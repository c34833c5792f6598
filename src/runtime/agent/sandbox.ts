import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fenced, fenceMissing } from '../../adapters/sandbox/fence.ts'
import { configuringFiles } from '../../adapters/sandbox/configuring-files.ts'
import { resolveHost } from '../../adapters/sandbox/resolve-host.ts'
import { openDomainProxy } from '../../adapters/sandbox/domain-proxy.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import type { CommandWrap } from '../../protocol/tools/tool.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { bashCommands } from '../../rules/shell/walk/bash-commands.ts'
import { closedHosts, hostReach, sandboxPlan, sandboxWritable } from '../../rules/sandbox/sandbox-plan.ts'
import { isExcluded, leavesSandbox } from '../../rules/permissions/sandboxed-commands.ts'

/**
 * Puts a member's shell commands into the sandbox that its policy asks for. Commands that the settings keep outside, and
 * calls that may ask for it, run as they are; where there is no sandbox, required ones do not run at all.
 *
 * @example commandWrap(() => policy, home)({ command: 'make' }, ['bash', '-c', 'make'], cwd)
 */
export function commandWrap(policy: () => Policy, home: string): CommandWrap {
  let proxy: string | undefined
  const wayOut = (): string =>
    (proxy ??= openDomainProxy(
      join(home, '.troupe', 'net'),
      resolveHost({ reach: (host) => hostReach(policy(), host), closed: () => closedHosts(policy()) }),
    ))
  return (input, argv, cwd) => {
    const now = policy()
    const { sandboxed } = now
    if (sandboxed === undefined) return { argv }
    if (sandboxed.leavable !== false && leavesSandbox(input)) return { argv }
    const line = input['command']
    const { commands } = bashCommands(typeof line === 'string' ? line : '', { cwd, home })
    if (isExcluded(commands, sandboxed.excluded)) return { argv }
    const missing = fenceMissing()
    if (missing === null) {
      try {
        return { argv: inSandbox(argv, { policy: now, home, cwd, wayOut }) }
      } catch (error) {
        return { trouble: `No command can run in the sandbox: ${errorText(error)}` }
      }
    }
    return sandboxed.required === true
      ? { trouble: `No command can run: the settings require a sandbox and ${missing}` }
      : { argv }
  }
}

interface Wanted {
  readonly policy: Policy
  readonly home: string
  readonly cwd: string
  /** Opens the proxy and says where it listens. */
  readonly wayOut: () => string
}

function inSandbox(argv: readonly [string, ...string[]], { policy, home, cwd, wayOut }: Wanted) {
  const plan = sandboxPlan(policy, { home, temporary: tmpdir(), found: configuringFiles(sandboxWritable(policy)) })
  return fenced(argv, plan, plan.network === 'proxied' ? { cwd, proxy: wayOut() } : { cwd })
}
