import { cachedSection, type CachedSection } from './section.ts'

/** The texts that compete for the place of an agent's own prompt; an empty one counts as left out. */
export interface PromptLevels {
  /** Replaces everything but the tail. */
  readonly override?: string | undefined
  readonly coordinator?: string | undefined
  readonly agent?: string | undefined
  /** For members without a text of their own. */
  readonly custom?: string | undefined
  /** Identity, rules and calibration that come with the project; the text above them is added, it never replaces them. */
  readonly defaults: readonly CachedSection[]
  /** Sections that hold under an override, too. */
  readonly always?: readonly CachedSection[] | undefined
  /** Always last, whichever level won. */
  readonly append?: string | undefined
}

/**
 * The cached sections of an agent: the first level that says something, before the default ones, and the tail.
 *
 * @example promptChain({ agent: 'You review.', defaults: [cachedSection('identity', 'You are a worker.')] })
 */
export function promptChain({
  defaults,
  always = [],
  append,
  override,
  ...levels
}: PromptLevels): readonly CachedSection[] {
  const tail = said('append', append)
  const over = said('override', override)
  if (over.length > 0) return [...over, ...always, ...tail]
  const { coordinator, agent, custom } = levels
  const [own] = [...said('coordinator', coordinator), ...said('agent', agent), ...said('custom', custom)]
  return [...(own ? [own] : []), ...defaults, ...always, ...tail]
}

function said(level: string, text: string | undefined): readonly CachedSection[] {
  return text === undefined || text.trim() === '' ? [] : [cachedSection(level, text)]
}
