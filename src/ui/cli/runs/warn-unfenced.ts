import { loadRules } from '../../../runtime/settings/load-rules.ts'
import { diagnosticLine } from '../../../runtime/team-files/load-team.ts'
import { plainLine } from '../../text/plain-text.ts'
import { print, type Host } from '../host/host.ts'

/** Says that commands are not fenced although somebody wants it; nothing where they are, or nobody does. */
export async function warnUnfenced(cwd: string, host: Host): Promise<void> {
  const { problems } = await loadRules({ cwd, home: host.home, policyRoot: host.policyRoot })
  for (const problem of problems.filter(({ code }) => code === 'sandbox_missing'))
    await print(host.stderr, `${plainLine(diagnosticLine(problem))}\n`)
}
