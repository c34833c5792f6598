import { sendMail } from '../../../runtime/mail/send-mail.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { print, printJson, type Host } from '../host/host.ts'
import { runDirectoryOf, type NamedRunChoice } from '../runs/run-choice.ts'
import { typedOrStdin } from '../host/typed-or-stdin.ts'
import { UserError } from '../host/user-error.ts'

export interface SendOptions extends NamedRunChoice {
  readonly key?: string | undefined
  readonly interrupt?: true | undefined
}

/** Where mail goes, and its text as typed; `-` stands for stdin. */
interface TypedMail {
  readonly to: string
  readonly text: string
}

/** Writes to a member; what is refused is a mistake of the command line and changes nothing. */
export async function send({ to, text: typed }: TypedMail, options: SendOptions, host: Host): Promise<ExitCode> {
  const text = await typedOrStdin(typed, host)
  if (text.trim() === '') throw new UserError('the text is empty')
  const team = /@([^#]*)/.exec(to)?.[1]
  const dir = runDirectoryOf(options.run ?? team, options, host)
  const { key, interrupt } = options
  const priority = interrupt ? 'interrupt' : 'normal'
  const sent = await sendMail(dir, { to, text, key, home: host.home, priority })
  if (!sent.ok) throw new UserError(sent.error)
  const { envelope, copies = [envelope], note } = sent
  if (options.json) {
    await printJson(host.stdout, { run_dir: dir, mail: copies, ...(note === undefined ? {} : { note }) })
    return exitCodes.done
  }
  for (const copy of copies) await print(host.stdout, `sent to ${copy.to} (${copy.id})\n`)
  if (note !== undefined) await print(host.stderr, `${note}\n`)
  return exitCodes.done
}
