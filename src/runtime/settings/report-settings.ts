import type { Fact } from '../../protocol/facts/fact.ts'
import { diagnosticLine } from '../team-files/load-team.ts'
import type { LiveSettings } from './open-settings.ts'

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
