import type { z } from 'zod'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import type { KeyPath } from './places.ts'

/** The rest of a value whose mistakes were cut out, and the places of the cuts. */
export interface Pruned {
  readonly value: unknown
  readonly cuts: readonly KeyPath[]
}

/**
 * Cuts every value that zod complained about, so that the rest can still be judged and all mistakes
 * are reported in one go. A bad list item takes its whole list with it: indexes stay true.
 */
export function prune(value: unknown, issues: readonly z.core.$ZodIssue[]): Pruned {
  const cuts = issues.flatMap((issue): KeyPath[] => {
    const path = issue.path as KeyPath
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key])
    const index = path.findIndex((part) => typeof part === 'number')
    return [index === -1 ? path : path.slice(0, index)]
  })
  return { value: cuts.reduce(without, value), cuts }
}

/** A complaint about something that was cut, or about a key that was only misspelled, says nothing new. */
export function isAbout(path: KeyPath, cuts: readonly KeyPath[]): boolean {
  return cuts.some((cutPath) => isWithin(path, cutPath) || isMisspelling(path, cutPath))
}

function isWithin(path: KeyPath, outer: KeyPath): boolean {
  return outer.length <= path.length && outer.every((part, index) => path[index] === part)
}

function isMisspelling(path: KeyPath, wrong: KeyPath): boolean {
  const key = path.at(-1)
  if (typeof key !== 'string' || path.length !== wrong.length || !isWithin(path, wrong.slice(0, -1))) return false
  return didYouMean(String(wrong.at(-1)), [key]) !== undefined
}

/** A copy of the value that lacks what stands at the path. */
function without(value: unknown, [key, ...rest]: KeyPath): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === key ? without(item, rest) : item))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (name !== key) return [[name, inner]]
    return rest.length === 0 ? [] : [[name, without(inner, rest)]]
  })
  return Object.fromEntries(kept)
}
