import { asJson, command, examples, type Context } from '../host/command.ts'

/** `troupe doctor` */
export function doctorCommand({ host, finish }: Context) {
  return command('doctor', 'Say what is missing on this machine and how to get it.')
    .option(...asJson)
    .option('--cwd <dir>', 'the directory where teams will work')
    .addHelpText('after', examples('troupe doctor'))
    .action(async (options) => {
      const { doctor } = await import('../acts/doctor.ts')
      finish(await doctor(options, host))
    })
}
