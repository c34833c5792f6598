import { resolve } from 'node:path'
import { checkedSkills, listSkills, shownSkill, type ListedSkill } from '../../../runtime/skills/list-skills.ts'
import { loadRules } from '../../../runtime/settings/load-rules.ts'
import { plainLine, plainText } from '../../text/plain-text.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { printEither, workingDirectory, type Flags, type Host, type Values } from '../host/host.ts'
import { UserError } from '../host/user-error.ts'
import { diagnosticsText } from '../text/diagnostics-text.ts'
import { table } from '../text/table.ts'

type SkillsOptions = Flags<'json'> & Values<'cwd'>

function placeOf({ cwd }: SkillsOptions, host: Host) {
  return { cwd: workingDirectory(cwd, host), home: host.home }
}

/** Lists the skills of a place, and those that cannot be used with their reasons. */
export async function printSkills(options: SkillsOptions, host: Host): Promise<ExitCode> {
  const place = placeOf(options, host)
  const { trusted } = await loadRules({ ...place, policyRoot: host.policyRoot })
  const skills = listSkills(place, trusted)
  await printEither({ document: { skills }, text: plainText(listText(skills, host)) }, options, host)
  return exitCodes.done
}

function listText(skills: readonly ListedSkill[], host: Host): string {
  if (skills.length === 0)
    return 'No skills here. A skill is a folder with a SKILL.md in .troupe/skills, .agents/skills or .claude/skills.'
  const row = ({ name, state, source, path, description }: ListedSkill) => [
    name,
    state,
    source,
    path,
    plainLine(description),
  ]
  const wrong = skills.flatMap(({ diagnostics }) => diagnostics)
  const waiting = skills.flatMap(({ name, allowed_tools }) =>
    allowed_tools.flatMap(({ rule, counts }) => (counts ? [] : [`  ${name}: ${rule}`])),
  )
  return [
    table(['SKILL', 'STATE', 'SOURCE', 'PATH', 'WHAT'], skills.map(row), host.stdout.columns).trimEnd(),
    ...(wrong.length === 0 ? [] : ['', diagnosticsText(wrong, host.cwd)]),
    ...(waiting.length === 0
      ? []
      : [
          '',
          'Rules of skills that nobody trusts, so they do not count (troupe trust shows and trusts them):',
          ...waiting,
        ]),
  ].join('\n')
}

/** Checks skills; 2 when one of them breaks the specification, whether or not it can be used. */
export async function checkSkills(paths: readonly string[], options: SkillsOptions, host: Host): Promise<ExitCode> {
  const place = placeOf(options, host)
  const skills = checkedSkills(
    paths.map((path) => resolve(place.cwd, path)),
    place,
  )
  const ok = skills.every((skill) => skill.ok)
  const wrong = skills.flatMap(({ diagnostics }) => diagnostics)
  const broken = skills.filter((skill) => !skill.ok)
  const unused = broken.filter(({ loads }) => !loads).length
  const verb = broken.length === 1 ? 'breaks' : 'break'
  const summary = `${skills.length} checked: ${broken.length} ${verb} the specification, ${unused} of them cannot be used`
  const text = [...(wrong.length === 0 ? [] : [diagnosticsText(wrong, host.cwd)]), summary].join('\n')
  await printEither({ document: { ok, skills }, text: plainText(text) }, options, host)
  return ok ? exitCodes.done : exitCodes.usage
}

/**
 * Shows a skill as a model reads it.
 * @throws UserError for a name that is no skill
 */
export async function showSkill(
  { skill, args }: { readonly skill: string; readonly args: readonly string[] },
  options: SkillsOptions,
  host: Host,
): Promise<ExitCode> {
  const shown = shownSkill(skill, args, placeOf(options, host))
  if ('trouble' in shown) throw new UserError(`${shown.trouble}; troupe skills ls shows them all`)
  const { description, allow, deny, commands, text } = shown
  const about = [
    plainLine(description),
    ...(allow.length === 0 ? [] : [`While it is in use it allows: ${allow.join(', ')}`]),
    ...(deny.length === 0 ? [] : [`While it is in use it denies: ${deny.join(', ')}`]),
    ...(commands.length === 0 ? [] : [`It runs when it is opened: ${commands.join('; ')}`]),
  ]
  await printEither({ document: shown, text: plainText(`${about.join('\n')}\n\n${text}`) }, options, host)
  return exitCodes.done
}
