import { examples, leading, runHelp, type Context } from '../host/command.ts'

/** `troupe resume [run]` */
export function resumeCommand({ host, finish }: Context) {
  return leading('resume', 'Lead a run on whose process is gone; what was said and done is taken from its journals.')
    .argument('[run]', `${runHelp}; the latest run when left out`)
    .option('--force', 'take whoever leads it on another machine or in another container for dead, and do not wait')
    .addHelpText('after', examples('troupe resume', 'troupe resume review'))
    .action(async (run, options) => {
      const { resume } = await import('../acts/resume.ts')
      finish(await resume(run, options, host))
    })
}
