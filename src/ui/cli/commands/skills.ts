import { asJson, command, examples, type Context } from '../host/command.ts'

const inDirectory = ['--cwd <dir>', 'the directory where teams will work'] as const

/** `troupe skills ls|check|show` */
export function skillsCommand({ host, finish }: Context) {
  return command('skills', 'Look at the skills that members can open here, and check them.')
    .addCommand(
      command('ls', 'List the skills of this project and your own, and those that cannot be used.')
        .option(...asJson)
        .option(...inDirectory)
        .addHelpText('after', examples('troupe skills ls'))
        .action((options) => finish(import('../acts/skills.ts').then(({ printSkills }) => printSkills(options, host)))),
    )
    .addCommand(
      command('check', 'Check skills against the Agent Skills specification, with every mistake and its place.')
        .argument('[path...]', 'folders of skills, or folders with skills in them (default: all that are found here)')
        .option(...asJson)
        .option(...inDirectory)
        .addHelpText('after', examples('troupe skills check', 'troupe skills check .claude/skills/deploy'))
        .action((paths, options) =>
          finish(import('../acts/skills.ts').then(({ checkSkills }) => checkSkills(paths, options, host))),
        ),
    )
    .addCommand(
      command('show', 'Show what a model reads when it opens a skill; its commands are shown, not run.')
        .argument('<skill>', 'its name')
        .argument('[arguments...]', 'what stands for $ARGUMENTS in it')
        .option(...asJson)
        .option(...inDirectory)
        .addHelpText('after', examples('troupe skills show deploy', 'troupe skills show fix-issue 123'))
        .action((skill, args, options) =>
          finish(import('../acts/skills.ts').then(({ showSkill }) => showSkill({ skill, args }, options, host))),
        ),
    )
}
