import { join } from 'node:path'
import { watchSettings } from '../../adapters/settings/watch-settings.ts'
import { trustPath } from '../../adapters/settings/trust-file.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import type { Settings, SettingsPlace } from '../../protocol/permissions/settings.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { grantsOf, teamGrants } from '../../rules/settings/settings-trust.ts'
import { grantsOfSkills } from '../skills/skills-of.ts'
import { systemPolicyRoot } from '../runs/policy-root.ts'
import { findSettings, settle, type FoundSettings, type SettingsOptions } from './load-rules.ts'
import type { SettingsRead } from './read-settings.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { diagnosticLine } from '../team-files/load-team.ts'

/** A change of the settings while a team is running. */
export interface SettingsChange {
  /** Files that say something else now. */
  readonly files: readonly string[]
  /** The mistakes that were not there before. */
  readonly problems: readonly Diagnostic[]
}

/** Settings that follow their files. */
export interface LiveSettings {
  /** The settings in force; the same object until something changes. */
  current(): Settings
  /** From the first listener on the files are watched; returns how to stop listening. */
  subscribe(listener: (change: SettingsChange) => void): () => void
  /** From now on somebody is asked before a change counts. */
  guard(veto: SettingsVeto): void
  /** Resolves when every change from now on is noticed. */
  ready(): Promise<void>
  close(): Promise<void>
}

/** Gets the files that say something else now, and returns the paths of those that count as they were. */
export type SettingsVeto = (files: readonly SettingsPlace[]) => Promise<readonly string[]>

/** The managed policy is there and cannot be understood: nothing runs under a policy that nobody can read. */
export class PolicyUnreadable extends Error {
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super(
      `the managed policy cannot be used: ${diagnostics.map(({ file, message }) => `${file}: ${message}`).join('; ')}`,
    )
    this.name = 'PolicyUnreadable'
    this.diagnostics = diagnostics
  }
}

export interface OpenSettingsOptions extends SettingsOptions {
  /** The team whose tools are known, and whose allow rules `trusted: true` covers as well. */
  readonly team?: ResolvedTeam
}

/**
 * Reads the settings and, once somebody listens, follows their files. A file that breaks while a team is running is kept
 * as it was when it could last be read, and that is said.
 *
 * @throws PolicyUnreadable when a file of the managed policy is there and has a mistake in it
 * @example const settings = await openSettings({ cwd, home }); settings.current().rules
 */
export async function openSettings(given: OpenSettingsOptions): Promise<LiveSettings> {
  const found = await findSettings(given)
  const unusable = found.reads.filter(({ file }) => file.source === 'policy' && file.status !== 'read')
  if (unusable.length > 0) throw new PolicyUnreadable(unusable.flatMap(({ diagnostics }) => diagnostics))
  const options = { ...given, tools: toolsOf(given.team), trusted: await trustNow(given, found) }
  const state: State = {
    options,
    found,
    settings: settle(found, options),
    listeners: new Set(),
    veto: null,
    kept: new Map(),
  }
  let followed: Followed | undefined
  return {
    current: () => state.settings,
    subscribe(listener) {
      state.listeners.add(listener)
      followed ??= follow(state)
      return () => state.listeners.delete(listener)
    },
    guard(veto) {
      state.veto = veto
    },
    async ready() {
      await followed?.ready()
    },
    async close() {
      state.listeners.clear()
      await followed?.close()
    },
  }
}

function toolsOf(team: ResolvedTeam | undefined): readonly string[] {
  return [...Object.keys(team?.http_tools ?? {}), ...(team?.code_tools ?? []).map(({ name }) => name)]
}

interface State {
  readonly options: SettingsOptions
  found: FoundSettings
  settings: Settings
  readonly listeners: Set<(change: SettingsChange) => void>
  veto: SettingsVeto | null
  /** Texts that somebody keeps from counting, by file: nobody is asked about them again until another change counts. */
  readonly kept: Map<string, string | undefined>
}

type Followed = Pick<LiveSettings, 'ready' | 'close'>

function follow(state: State): Followed {
  const { policyRoot = systemPolicyRoot, home } = state.options
  const files = [...state.found.places.map(({ path }) => path), join(policyRoot, 'policy.json'), trustPath(home)]
  let reading: Promise<void> = Promise.resolve()
  const look = (): Promise<void> => (reading = reading.then(() => reload(state)))
  const watch = watchSettings({ files, folders: [join(policyRoot, 'policy.d')] }, () => void look())
  // One look finds the changes from before the watcher was ready.
  const first = watch.ready.then(look)
  return {
    ready: () => first,
    async close() {
      await watch.close()
      await first
      await reading
    },
  }
}

async function reload(state: State): Promise<void> {
  const good = keepingGood(state.found, await findSettings(state.options))
  const { veto } = state
  // A change of a stronger source does not wait for those who may keep a weaker one from counting.
  for (const sources of veto === null ? [stages.flat()] : stages) {
    const now = withSources(sources, good.found, state.found)
    take(state, { ...good, found: await unlessVetoed(state, now) })
  }
}

const stages = [['policy'], ['user'], ['project', 'local']]

/** The settings as they were, with some sources as they are now. */
function withSources(sources: readonly string[], now: FoundSettings, { reads }: FoundSettings): FoundSettings {
  const isNew = ({ file }: SettingsRead): boolean => sources.includes(file.source)
  return inOrder(now, [...now.reads.filter(isNew), ...reads.filter((read) => !isNew(read))])
}

/** The strongest file first. */
function inOrder(found: FoundSettings, reads: readonly SettingsRead[]): FoundSettings {
  const rank = ({ layer }: SettingsRead): number => found.places.findIndex(({ path }) => path === layer.place.path)
  return { ...found, reads: reads.toSorted((a, b) => rank(a) - rank(b)) }
}

function take(state: State, kept: ReturnType<typeof keepingGood>): void {
  const { found, settings, options, listeners } = state
  const settled = settle(kept.found, options)
  const next = { ...settled, problems: [...settled.problems, ...kept.problems] }
  const change = {
    files: [...changedFiles(found, kept.found), ...(sameTrust(settings, next) ? [] : ['~/.troupe/trust.json'])],
    problems: newProblems(settings, next),
  }
  state.found = kept.found
  if (change.files.length > 0) state.kept.clear()
  if (change.files.length > 0 || next.problems.length !== settings.problems.length || change.problems.length > 0) {
    state.settings = next
  }
  if (change.files.length === 0 && change.problems.length === 0) return
  for (const listener of listeners) listener(change)
}

/** `trusted: true` means what is there now. What a file comes to say later was seen by nobody. */
async function trustNow(given: OpenSettingsOptions, { reads }: FoundSettings): Promise<readonly string[]> {
  const { trusted, team } = given
  if (trusted !== true) return trusted || []
  const brought = team ? [...teamGrants(team), ...(await grantsOfSkills(team, given))] : []
  return [...reads.flatMap(({ layer }) => grantsOf(layer)), ...brought].map(({ text }) => text)
}

/** Files that broke are replaced by what they were; a policy whose directory cannot be listed stays whole. */
function keepingGood(before: FoundSettings, now: FoundSettings): { found: FoundSettings; problems: Diagnostic[] } {
  const good = new Map(before.reads.map((read) => [read.layer.place.path, read]))
  const problems: Diagnostic[] = []
  const reads = now.reads.map((read): SettingsRead => {
    const last = good.get(read.layer.place.path)
    if (read.file.status === 'read' || last?.file.status !== 'read') return read
    problems.push(...read.diagnostics.map(keptNote))
    return last
  })
  if (now.unlisted.length === 0) return { found: { ...now, reads }, problems }
  const policy = before.reads.filter(({ file }) => file.source === 'policy')
  const others = reads.filter(({ file }) => file.source !== 'policy')
  return { found: { ...now, reads: [...policy, ...others] }, problems: [...problems, ...now.unlisted.map(keptNote)] }
}

function keptNote(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, message: `${diagnostic.message}; what was read of it before stays in force` }
}

/** The settings as they are now, without the changes that somebody keeps from counting. The managed policy always counts. */
async function unlessVetoed({ found, veto, kept }: State, now: FoundSettings): Promise<FoundSettings> {
  if (veto === null) return now
  const [earlier, later] = [readsByPath(found), readsByPath(now)]
  const textOf = (reads: typeof later, path: string): string | undefined => JSON.stringify(reads.get(path)?.layer)
  const changed = [...new Set([...earlier.keys(), ...later.keys()])].filter(
    (path) => textOf(earlier, path) !== textOf(later, path),
  )
  const isKept = (path: string): boolean => kept.has(path) && kept.get(path) === textOf(later, path)
  const asked = changed.filter((path) => !isKept(path))
  const places = asked.flatMap((path) => (later.get(path) ?? earlier.get(path))?.layer.place ?? [])
  const vetoed = new Set(places.length === 0 ? [] : await veto(places))
  for (const { path, source } of places) {
    if (vetoed.has(path) && source !== 'policy') kept.set(path, textOf(later, path))
  }
  const out = changed.filter(isKept)
  const others = now.reads.filter(({ layer }) => !out.includes(layer.place.path))
  return inOrder(now, [...others, ...out.flatMap((path) => earlier.get(path) ?? [])])
}

function readsByPath({ reads }: FoundSettings): ReadonlyMap<string, SettingsRead> {
  return new Map(reads.map((read) => [read.layer.place.path, read]))
}

function changedFiles(before: FoundSettings, now: FoundSettings): readonly string[] {
  const texts = ({ reads }: FoundSettings): ReadonlyMap<string, string> =>
    new Map(reads.map(({ layer }) => [layer.place.shown, JSON.stringify(layer)]))
  const [earlier, later] = [texts(before), texts(now)]
  const files = new Set([...earlier.keys(), ...later.keys()])
  return [...files].filter((file) => earlier.get(file) !== later.get(file))
}

function sameTrust(old: Settings, next: Settings): boolean {
  return JSON.stringify(old.trusted) === JSON.stringify(next.trusted)
}

function newProblems(old: Settings, next: Settings): readonly Diagnostic[] {
  const known = new Set(old.problems.map((problem) => JSON.stringify(problem)))
  return next.problems.filter((problem) => !known.has(JSON.stringify(problem)))
}

/**
 * Records in a team's journal when its settings change: which files, and what is wrong with them. What was wrong from the
 * start is said first.
 *
 * @returns how to stop
 */
export function reportSettings(settings: LiveSettings, record: (facts: readonly Fact[]) => void): () => void {
  const warning = (problem: Parameters<typeof diagnosticLine>[0]): Fact => ({
    type: 'warning.raised',
    code: 'settings',
    message: diagnosticLine(problem),
  })
  record(settings.current().problems.map(warning))
  return settings.subscribe(({ files, problems }) => {
    const changed: Fact[] = files.length === 0 ? [] : [{ type: 'settings.changed', files: [...files] }]
    record([...changed, ...problems.map(warning)])
  })
}
