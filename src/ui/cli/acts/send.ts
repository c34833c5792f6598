import { sendMail } from '../../../runtime/send-mail.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import { print, printJson, type Host } from '../host.ts'
import { runDirectoryOf } from '../run-choice.ts'
import { UserError } from '../user-error.ts'

export interface SendOptions {
  readonly key?: string | undefined
  readonly interrupt?: true | undefined
  readonly run?: string | undefined
  readonly json?: true | undefined
  readonly cwd?: string | undefined
}

/** Writes to a member; what is refused is a mistake of the command line and changes nothing. */
export async function send(mail: { to: string; text: string }, options: SendOptions, host: Host): Promise<ExitCode> {
  if (mail.text.trim() === '') throw new UserError('the text is empty')
  const team = /@([^#]*)/.exec(mail.to)?.[1]
  const dir = runDirectoryOf(options.run ?? team, options, host)
  const { key, interrupt } = options
  const sent = await sendMail(dir, { ...mail, key, home: host.home, priority: interrupt ? 'interrupt' : 'normal' })
  if (!sent.ok) throw new UserError(sent.error)
  const { envelope, copies = [envelope], note } = sent
  if (options.json) {
    await printJson(host.stdout, { run_dir: dir, mail: copies, ...(note === undefined ? {} : { note }) })
    return exitCodes.done
  }
  for (const { to, id } of copies) await print(host.stdout, `sent to ${to} (${id})\n`)
  if (note !== undefined) await print(host.stderr, `${note}\n`)
  return exitCodes.done
}
