import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolveReal } from '../../adapters/fs/resolve-real.ts'
import { parseJson } from '../../adapters/fs/parse-json.ts'
import { projectFolders } from '../../adapters/settings/settings-places.ts'
import { ruledBehavior } from '../../projections/member/past-calls.ts'
import { callLabel } from '../../projections/screen/call-label.ts'
import type { Decision, Policy } from '../../protocol/permissions/permission.ts'
import { decide } from '../../rules/permissions/cascade.ts'
import { explain } from '../../rules/permissions/explain.ts'
import { grantRules } from '../../rules/permissions/grant-rules.ts'
import { withGrants } from '../settings/policy.ts'
import { loadRules } from '../settings/load-rules.ts'
import { judgedCalls, type JudgedCall, type PastPlace } from './past-policies.ts'

/** Questions that one rule, or none, led to. */
export interface AskedBy {
  /** The rule as written; null where no rule decided. */
  readonly rule: string | null
  readonly source: string
  readonly count: number
  readonly allowed: number
  readonly denied: number
  /** Questions for which nobody was there, or which nobody answered in time. */
  readonly unanswered: number
  /** One of the calls. */
  readonly example: string
}

/** Allow rules that would have spared questions, together. */
export interface Proposal {
  readonly rules: readonly string[]
  readonly spares: number
  readonly example: string
}

/** The use of the rules in past runs. */
export interface UsageReport {
  readonly runs: readonly string[]
  readonly calls: number
  readonly asked: readonly AskedBy[]
  /** Rules in force that spoke of no call. */
  readonly unmatched: readonly {
    readonly list: string
    readonly source: string
    readonly rule: string
    readonly at?: string
  }[]
  readonly proposals: readonly Proposal[]
  /** The proposals as a change of the person's own settings of the project; null without any. */
  readonly change: { readonly file: string; readonly before: string; readonly after: string } | null
}

const mostProposals = 5

/**
 * Says how the rules did in past runs: what was asked and why, which rules never matched, which allow rules would have spared
 * most of the questions that no person denied. Nothing is written.
 *
 * @param since Calls before this moment are left out; milliseconds since the epoch.
 * @example (await usageReport([dir], { cwd, home, policyRoot, since: 0 })).proposals
 */
export async function usageReport(
  dirs: readonly string[],
  { cwd, since, ...place }: Omit<PastPlace, 'settings'> & { readonly cwd: string; readonly since: number },
): Promise<UsageReport> {
  const all = await Promise.all(dirs.map((dir) => judgedCalls(dir, { ...place, settings: loadRules })))
  const calls = all.flat().filter(({ call }) => call.at >= since)
  const asked = calls.filter(({ call }) => ruledBehavior(call) === 'ask')
  const proposals = proposalsFor(asked.filter((each) => answerTo(each) !== 'denied'))
  return {
    runs: [...new Set(calls.map(({ run }) => run))],
    calls: calls.length,
    asked: askedBy(asked),
    unmatched: unmatchedIn(calls),
    proposals,
    change: changeOf(proposals, cwd, place.home),
  }
}

const answers = { allowed: 0, denied: 0, unanswered: 0 }

function answerTo({ call: { decided } }: JudgedCall): keyof typeof answers {
  if (decided.behavior === 'allow') return 'allowed'
  return decided.source === 'nobody' ? 'unanswered' : 'denied'
}

/** The decision that asked; where nobody was there only the end was written down, and the rules of today have to do. */
function questionOf({ call, action, policy }: JudgedCall): Pick<Decision, 'rule' | 'source'> {
  if (call.asked) return call.asked
  const now = decide(action, policy)
  return call.decided.source === 'nobody' && now.behavior === 'ask' ? now : call.decided
}

function askedBy(asked: readonly JudgedCall[]): readonly AskedBy[] {
  const groups = new Map<string, AskedBy>()
  for (const each of asked) {
    const { call } = each
    const { rule = null, source } = questionOf(each)
    const key = `${source} ${rule ?? ''}`
    const group = groups.get(key) ?? { rule, source, count: 0, ...answers, example: callLabel(call.tool, call.input) }
    const answer = answerTo(each)
    groups.set(key, { ...group, count: group.count + 1, [answer]: group[answer] + 1 })
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count)
}

function unmatchedIn(calls: readonly JudgedCall[]): UsageReport['unmatched'] {
  const rules = new Map<string, UsageReport['unmatched'][number]>()
  const used = new Set<string>()
  for (const { action, policy } of calls) {
    const lists = explain(action, policy)
    for (const list of ['deny', 'ask', 'allow'] as const)
      for (const { rules: found } of lists[list])
        for (const { source, rule, at, matches } of found) {
          const key = `${list} ${source} ${rule}`
          rules.set(key, { list, source, rule, ...(at === undefined ? {} : { at }) })
          if (matches) used.add(key)
        }
  }
  return [...rules].flatMap(([key, rule]) => (used.has(key) ? [] : [rule]))
}

/** Takes the rules that spare most, then those that spare most of the rest. */
function proposalsFor(asked: readonly JudgedCall[]): readonly Proposal[] {
  const offers = new Map<string, { readonly rules: readonly string[]; readonly example: string }>()
  for (const { call, action, policy } of asked) {
    const rules = grantRules(action, policy).save
    if (rules.length > 0) offers.set(rules.join('\n'), { rules, example: callLabel(call.tool, call.input) })
  }
  const proposals: Proposal[] = []
  // A rule of today may spare some of them already.
  let left = asked.filter((each) => !wouldPass(each, []))
  while (proposals.length < mostProposals) {
    const [best] = [...offers.values()]
      .map((offer) => ({ ...offer, spared: left.filter((each) => wouldPass(each, offer.rules)) }))
      .toSorted((a, b) => b.spared.length - a.spared.length)
    if (best === undefined || best.spared.length === 0) break
    proposals.push({ rules: best.rules, spares: best.spared.length, example: best.example })
    left = left.filter((each) => !best.spared.includes(each))
  }
  return proposals
}

function wouldPass(
  { action, policy }: Pick<JudgedCall, 'action'> & { readonly policy: Policy },
  rules: readonly string[],
): boolean {
  return decide(action, withGrants(policy, rules)).behavior === 'allow'
}

function changeOf(proposals: readonly Proposal[], cwd: string, home: string): UsageReport['change'] {
  if (proposals.length === 0) return null
  const [root = cwd] = projectFolders(resolveReal(cwd), home)
  const file = '.troupe/settings.local.json'
  const before = textIn(join(root, file))
  const settings = (parseJson(before) ?? {}) as { readonly permissions?: { readonly allow?: readonly string[] } }
  const allow = [...new Set([...(settings.permissions?.allow ?? []), ...proposals.flatMap(({ rules }) => rules)])]
  const after = `${JSON.stringify({ ...settings, permissions: { ...settings.permissions, allow } }, null, 2)}\n`
  return { file, before, after }
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // No file yet, or none that could be changed as a text.
    return ''
  }
}
