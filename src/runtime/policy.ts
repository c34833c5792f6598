import { join, resolve } from 'node:path'
import type { PermissionMode, Policy, RuleLists } from '../protocol/permission.ts'
import type { MemberCard, ResolvedTeam } from '../protocol/team-card.ts'

/** What the command line and the workspace add to a team's own permissions. */
export interface PolicyOptions {
  readonly cwd: string
  readonly home: string
  readonly mode?: PermissionMode | undefined
  /** Rules of the `cliArg` source. */
  readonly rules?: RuleLists | undefined
  /** Project allow rules count only in a trusted workspace. */
  readonly trusted: boolean
  /** Directories of the run that tools may read. */
  readonly readable?: readonly string[]
}

/** The frozen policy of one member: the team's rules and its own, narrowed never widened by the member. */
export function policyOf(team: ResolvedTeam, card: MemberCard, options: PolicyOptions): Policy {
  const own = [team.permissions, card.permissions]
  const gathered = (list: 'allow' | 'ask' | 'deny'): string[] => own.flatMap((rules) => rules[list] ?? [])
  return {
    mode: options.mode ?? card.permissions.mode ?? team.permissions.mode ?? 'default',
    rules: {
      project: { allow: options.trusted ? gathered('allow') : [], ask: gathered('ask'), deny: gathered('deny') },
      cliArg: options.rules ?? {},
    },
    bounds: {
      protected: [join(options.cwd, '.troupe'), join(options.home, '.troupe'), '/etc/troupe'],
      scope: team.scope.map((dir) => resolve(options.cwd, dir)),
      blockedHosts: [],
      ...(options.readable ? { readable: options.readable } : {}),
    },
    directories: [options.cwd],
  }
}

/** The same policy with the rules that people allowed for this session. */
export function withGrants(policy: Policy, grants: readonly string[]): Policy {
  return grants.length === 0 ? policy : { ...policy, rules: { ...policy.rules, session: { allow: [...grants] } } }
}
