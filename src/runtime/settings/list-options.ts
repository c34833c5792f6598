import { readRunFile } from '../../adapters/sessions/read-run.ts'
import { permissionModes } from '../../protocol/permissions/permission.ts'
import type { ChoiceAsk } from '../../protocol/work/choice-ask.ts'
import { modeRefusal } from '../../rules/permissions/mode.ts'
import { listModels, type ListedModel } from '../models/list-models.ts'
import { readChoices, runPolicies, type MemberChoices } from './read-choices.ts'

/** A model or a permission mode that a person may choose for members. */
export interface ChoiceOption {
  /** The name of the model or of the mode. */
  readonly value: string
  /** The members that have it now, of those that are chosen for. */
  readonly held: readonly string[]
  /** Why it may not be had; null where it may. */
  readonly refused: string | null
  /** Of a model that is known. */
  readonly card: ListedModel | null
}

export interface ListOptions {
  readonly choose: ChoiceAsk['choose']
  /** The members that are chosen for. */
  readonly members: readonly string[]
  readonly home: string
  /** Where credentials are looked up. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The directory of the managed policy. */
  readonly policyRoot?: string | undefined
}

/**
 * The models, or the permission modes, among which a person chooses for members of a run. Models: first those of the
 * members, then those of the rest of the team, then the known ones of providers that can be reached from here. Modes: all there are, with the reason where one may not be had.
 *
 * @param dir the run directory
 * @throws ModelsFileError when the person's file of models holds a mistake
 * @example await listOptions(dir, { choose: 'mode', members: ['lead'], home, env: process.env })
 */
export async function listOptions(dir: string, wish: ListOptions): Promise<readonly ChoiceOption[]> {
  const all = await readChoices(dir, wish)
  return wish.choose === 'mode' ? modes(dir, all, wish) : models(all, wish)
}

async function modes(dir: string, all: readonly MemberChoices[], wish: ListOptions): Promise<readonly ChoiceOption[]> {
  const [file, policy] = [readRunFile(dir), await runPolicies(dir, wish)]
  const cards = (file?.team.members ?? []).filter(({ name }) => wish.members.includes(name))
  return permissionModes.map((value) => {
    const held = all.filter(({ name, mode }) => mode === value && wish.members.includes(name)).map(({ name }) => name)
    const [refused = null] = cards.flatMap((card) => (policy === null ? [] : (modeRefusal(policy(card), value) ?? [])))
    return { value, held, refused, card: null }
  })
}

async function models(
  all: readonly MemberChoices[],
  { members, home, env }: ListOptions,
): Promise<readonly ChoiceOption[]> {
  const known = await listModels({ home, env })
  const cards = new Map(known.models.map((card) => [card.name, card]))
  const unready = new Set(known.providers.flatMap(({ name, ready }) => (ready ? [] : [name])))
  const own = all.filter(({ name }) => members.includes(name))
  const reached = [...cards.keys()].filter((name) => !unready.has(name.split('/')[0] ?? ''))
  const names = new Set([...own.map(({ model }) => model), ...all.map(({ model }) => model), ...reached])
  return [...names].map((value) => ({
    value,
    held: own.filter(({ model }) => model === value).map(({ name }) => name),
    refused: null,
    card: cards.get(value) ?? null,
  }))
}
