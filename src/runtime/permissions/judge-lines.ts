import { placesOfPrograms } from '../../adapters/fs/program-places.ts'
import { realPaths } from '../../adapters/fs/real-paths.ts'
import {
  behaviors,
  permissionModes,
  permissionSources,
  type Decision,
  type PermissionMode,
  type Policy,
  type RulesBySource,
} from '../../protocol/permissions/permission.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { analyse } from '../../rules/permissions/analyse.ts'
import { followPaths } from '../../rules/permissions/followed-paths.ts'
import type { Action } from '../../rules/permissions/action.ts'
import { decide } from '../../rules/permissions/cascade.ts'
import { preparedRules } from '../settings/policy.ts'
import { ownPlace } from '../actors/own-place.ts'
import { isRecord } from '../../protocol/words/is-record.ts'

/** The verdict of `troupe permissions test` on one line. */
export interface Judgement {
  readonly behavior: Decision['behavior']
  readonly source: Decision['source']
  readonly rule: string | null
  readonly reason: string
  readonly path: string | null
  readonly at?: string
}

interface Here {
  readonly cwd: string
  readonly home: string
  readonly path?: string | undefined
}

export interface LineJudge {
  /** Judges one JSON line; a line that is no call is denied and says why. */
  judge(line: string): Judgement
  /** Lines so far that were no call. */
  readonly mistakes: number
}

/**
 * Judges calls that come as JSON lines `{tool, input, mode?, cwd?, home?, rules?}`: with the rules of the line in the place
 * of those in force when it has some; all else is as it is in force. Symlinks are followed as they lie on the disk; each directory is looked up
 * once.
 *
 * @param policy The policy in force.
 * @example lineJudge(policy, { cwd, home }).judge('{"tool":"Bash","input":{"command":"ls"}}').behavior // 'allow'
 */
export function lineJudge(policy: Policy, place: Here): LineJudge {
  const real = realPaths()
  const policies = keptPolicies(policy, place)
  const searched = placesOfPrograms(policy, ownPlace.env['PATH'])
  let mistakes = 0
  return {
    judge(line) {
      const asked = readLine(line)
      if (typeof asked === 'string') {
        mistakes += 1
        return refused(asked)
      }
      const { tool, input, cwd = place.cwd, home = place.home } = asked
      const action = followPaths(analyse({ tool, input, cwd, home, searched }), real)
      return shown(decided(action, policies(asked)))
    },
    get mistakes() {
      return mistakes
    },
  }
}

function decided(action: Action, policy: Policy): Decision {
  return decide(action, policy, preparedRules(policy))
}

interface Asked {
  readonly tool: string
  readonly input: unknown
  readonly mode?: PermissionMode
  readonly cwd?: string
  readonly home?: string
  readonly rules?: RulesBySource
}

function refused(reason: string): Judgement {
  return { behavior: 'deny', source: 'nobody', rule: null, reason, path: null }
}

function shown({ behavior, source, rule, reason, path, at }: Decision): Judgement {
  const judgement = { behavior, source, rule: rule ?? null, reason, path: path ?? null }
  return at === undefined ? judgement : { ...judgement, at }
}

/** Parsing is most of the work, so the shape is checked by hand. */
function readLine(line: string): Asked | string {
  const found = parsed(line)
  if (!isRecord(found)) return 'the line is no JSON object'
  const { tool, mode, cwd, home, rules } = found
  if (typeof tool !== 'string' || tool === '') return 'the line names no tool'
  if (mode !== undefined && !permissionModes.some((known) => known === mode))
    return `there is no mode ${JSON.stringify(mode)}`
  if (!isPlace(cwd) || !isPlace(home)) return 'cwd and home are absolute paths'
  const trouble = rules === undefined ? null : ruleTrouble(rules)
  return trouble ?? (found as unknown as Asked)
}

function ruleTrouble(rules: unknown): string | null {
  if (!isRecord(rules)) return 'rules are an object of sources'
  for (const [source, lists] of Object.entries(rules)) {
    if (!permissionSources.some((known) => known === source)) return `there is no source "${source}"`
    if (!isRecord(lists)) return `the rules of ${source} are lists`
    for (const [list, texts] of Object.entries(lists)) {
      if (!behaviors.some((known) => known === list)) return `there is no list "${list}"`
      if (!Array.isArray(texts) || texts.some((text) => typeof text !== 'string'))
        return `${source}.${list} is a list of texts`
    }
  }
  return null
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isPlace(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.startsWith('/'))
}

/** Policies that come again and again are made once. */
function keptPolicies(inForce: Policy, here: Here): (asked: Asked) => Policy {
  const kept = new Map<string, Policy>()
  return (asked) => {
    const { mode, cwd = here.cwd, home = here.home, rules } = asked
    if (rules === undefined && mode === undefined && cwd === here.cwd && home === here.home) return inForce
    const key = `${mode ?? ''}\0${cwd}\0${home}\0${rules === undefined ? '' : JSON.stringify(rules)}`
    const known = kept.get(key)
    if (known !== undefined) return known
    if (kept.size >= 256) kept.clear()
    const made = policyOf(asked, inForce, [here, { cwd, home }])
    kept.set(key, made)
    return made
  }
}

/** The policy in force but for rules and mode, seen from the place of the line. */
function policyOf({ mode, rules }: Asked, inForce: Policy, [from, to]: readonly [Here, Here]): Policy {
  const [, ...more] = inForce.directories
  const bounds = { ...inForce.bounds, protected: inForce.bounds.protected.map((path) => moved(path, from, to)) }
  const placed = { ...inForce, bounds, directories: [to.cwd, ...more] }
  if (rules === undefined) return { ...placed, mode: mode ?? inForce.mode }
  return { ...placed, mode: mode ?? 'default', rules, origins: {} }
}

/** The deeper of the two places counts, as one of them may lie in the other. */
function moved(path: string, from: Here, to: Here): string {
  const places = [[from.cwd, to.cwd] as const, [from.home, to.home] as const].filter(([start]) => isInside(start, path))
  const [start, end] = places.toSorted(([a], [b]) => b.length - a.length)[0] ?? ['', '']
  return `${end}${path.slice(start.length)}`
}
