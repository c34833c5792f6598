import { parse } from 'yaml'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { teamFileSchema } from '../../protocol/team/team-card.ts'
import type { TeamEdit } from '../../protocol/team/team-edit.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { start, valueAt, type KeyPath, type PlacedValue } from './places.ts'
import { isRecord } from '../../protocol/words/is-record.ts'

const cards = ['coordinator', 'workers'] as const
const notText = /^(?:[[{"']|(?:-?\d+(?:\.\d+)?|true|false|null)$)/

/**
 * Reads `KEY=VALUE`. A list, a map, a number, true, false, null and a text in quotes are read as YAML; anything else is a text as it stands.
 *
 * @returns null without a key
 * @example parseTeamEdit('ana.tools=[Read, Grep]') // { key: 'ana.tools', value: ['Read', 'Grep'] }
 */
export function parseTeamEdit(text: string): TeamEdit | null {
  const [, key, said = ''] = /^([^\s=]+)=(.*)$/s.exec(text) ?? []
  return key === undefined ? null : { key, value: notText.test(said) ? yamlValue(said) : said }
}

function yamlValue(text: string): TeamEdit['value'] {
  try {
    return parse(text) as TeamEdit['value']
  } catch {
    return text
  }
}

/** The file of a diagnostic about a change: `--with ana.promt`. */
export function editOrigin({ key }: TeamEdit): string {
  return `--with ${key}`
}

/**
 * A team file with changes in it. A key begins with a member's name, or is one of the team file. A mistake in a changed
 * value has the change as its place.
 */
export function withEdits<Source extends PlacedValue & { readonly diagnostics: readonly Diagnostic[] }>(
  source: Source,
  edits: readonly TeamEdit[],
): Source {
  const placed = edits.map((edit) => ({ edit, path: editPath(source.value, edit) }))
  const unknown = placed.flatMap(({ edit, path }) => (path === null ? [unknownName(source.value, edit)] : []))
  const known = placed.flatMap(({ edit, path }) => (path === null ? [] : [{ edit, path }]))
  return {
    ...source,
    value: known.reduce<unknown>((value, { edit, path }) => set(value, path, edit.value), source.value),
    diagnostics: [...source.diagnostics, ...unknown],
    place(path, part) {
      const changed = known.findLast((each) => each.path.every((key, index) => key === path[index]))
      return changed === undefined ? source.place(path, part) : { ...start, file: editOrigin(changed.edit) }
    },
  }
}

/** The place that a key names in a team file, null when nobody has that name. */
function editPath(file: unknown, { key }: TeamEdit): KeyPath | null {
  const [first = '', ...rest] = key.split('.')
  if (Object.hasOwn(teamFileSchema.shape, first)) return [first, ...rest]
  if (first === leadOf(file)) return ['coordinator', ...rest]
  return valueAt(file, ['workers', first]) === undefined ? null : ['workers', first, ...rest]
}

/** `[lead, historian]`: the names that a key can begin with. */
function memberNames(file: unknown): readonly string[] {
  return [leadOf(file), ...Object.keys(valueAt(file, ['workers']) ?? {})]
}

function leadOf(file: unknown): string {
  const name = valueAt(file, ['coordinator', 'name'])
  return typeof name === 'string' ? name : 'lead'
}

function unknownName(file: unknown, edit: TeamEdit): Diagnostic {
  const [first = '', ...rest] = edit.key.split('.')
  const members = memberNames(file)
  const keys = Object.keys(teamFileSchema.shape)
  // Before a dot stands a member, or a map of this file: no key that can only hold a text.
  const isInside = rest.length > 0
  const guess = didYouMean(first, [...members, ...keys.filter((key) => !isInside || isRecord(valueAt(file, [key])))])
  const hint = guess ? `did you mean "${guess}"?` : `members: ${members.join(', ')}; or a key of the team file`
  const message = isInside
    ? `no member is called "${first}"`
    : `"${first}" is neither a member nor a key of the team file`
  return { severity: 'error', code: 'unknown_key', message, hint, file: editOrigin(edit), ...start }
}

function set(value: unknown, [key, ...rest]: KeyPath, to: unknown): unknown {
  if (key === undefined) return to
  const inside = valueAt(value, [key])
  const record = isRecord(value) ? value : {}
  return { ...record, [key]: set(inside, rest, to) }
}

/** The card whose model a change names: `historian.model` → `historian`. */
export function cardOfModel({ key }: TeamEdit): string | null {
  const path = key.split('.')
  const [name, what] = path[0] === cards[1] ? path.slice(1) : path
  return what === 'model' ? (name ?? null) : null
}
