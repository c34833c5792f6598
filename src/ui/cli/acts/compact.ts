import { compactMember } from '../../../runtime/run/compact-member.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { printEither, type Host, type Values } from '../host/host.ts'
import { plainLine } from '../../text/plain-text.ts'
import { runDirectoryOf, type RunChoice } from '../runs/run-choice.ts'

/** The member whose conversation is made shorter. */
interface Named {
  readonly run: string
  readonly member: string
}

/** A member that runs takes the order before its next question: longer than this nobody waits for it. */
const patienceMs = 120_000

/** Makes the conversation of a member shorter, whether it runs or not. */
export async function compact(
  { run, member }: Named,
  options: RunChoice & Values<'focus'>,
  host: Host,
): Promise<ExitCode> {
  const dir = runDirectoryOf(run, options, host)
  const [name = ''] = member.split('@')
  const { home, env, policyRoot } = host
  const { focus } = options
  const signal = AbortSignal.timeout(patienceMs)
  const wish = { member: name, home, env, policyRoot, signal, ...(focus === undefined ? {} : { focus }) }
  const { before, after, dropped, by, reason } = await compactMember(dir, wish)
  const how = reason === undefined ? '' : ` (no model wrote the summary: ${plainLine(reason)})`
  const text =
    after < before
      ? `${name}: ${before} characters, ${after} from now on; ${dropped.length} messages are summarised${how}`
      : `${name}: ${before} characters stay as they are`
  const document = { run_dir: dir, member: name, before, after, dropped, by, reason }
  await printEither({ document, text }, options, host)
  return exitCodes.done
}
