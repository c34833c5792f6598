import { permissionModes, type PermissionMode } from '../../../protocol/permissions/permission.ts'
import type { ChoiceAsk } from '../../../protocol/work/choice-ask.ts'
import { chooseForMember } from '../../../runtime/run/choose-for-member.ts'
import { nextChoice, readChoices } from '../../../runtime/settings/read-choices.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { printEither, type Host } from '../host/host.ts'
import { plainLine } from '../../text/plain-text.ts'
import { UserError } from '../host/user-error.ts'
import { meantText, runDirectoryOf, type RunChoice } from '../runs/run-choice.ts'

/** The member that a choice is about, and what is chosen; the choices of all, or of one, are shown where that is left out. */
interface Chosen {
  readonly run: string | undefined
  readonly member: string | undefined
  readonly value: string | undefined
}

/** A member that runs settles a choice at once: longer than this nobody waits for it. */
const patienceMs = 120_000

/** Chooses the model or the mode of a member of a run, or shows those of its members. */
export async function choose(
  what: ChoiceAsk['choose'],
  { run, member: named, value }: Chosen,
  options: RunChoice & { readonly host: Host },
): Promise<ExitCode> {
  const { host } = options
  const dir = runDirectoryOf(run, options, host)
  const { home, env, policyRoot } = host
  const member = named?.split('@')[0]
  if (member !== undefined && value !== undefined) {
    const next = what === 'mode' && value === 'next' ? await nextChoice(dir, member, { home, policyRoot }) : null
    const wanted = next ?? value
    const wish = { member, home, env, policyRoot, signal: AbortSignal.timeout(patienceMs) }
    await chooseForMember(dir, { ...wish, ...askOf(what, wanted) })
  }
  const all = await readChoices(dir, { home, policyRoot })
  const shown = all.filter(({ name }) => member === undefined || name === member)
  if (shown.length === 0) {
    const names = all.map(({ name }) => name)
    throw new UserError(`${member} is no member of this run${meantText(member ?? '', names)}: ${names.join(', ')}`)
  }
  const text = shown.map((each) => plainLine(`${each.name}  ${each[what]}`)).join('\n')
  await printEither({ document: { run_dir: dir, members: shown }, text }, options, host)
  return exitCodes.done
}

function askOf(choose: ChoiceAsk['choose'], value: string): ChoiceAsk {
  if (choose === 'model') return { choose, value }
  if (!isMode(value))
    throw new UserError(`there is no mode ${value}${meantText(value, permissionModes)}: ${permissionModes.join(', ')}`)
  return { choose, value }
}

function isMode(word: string): word is PermissionMode {
  return permissionModes.some((mode) => mode === word)
}
