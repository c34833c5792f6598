import { ignoreText } from '../../../protocol/memory/memory.ts'
import { warnUnfenced } from '../runs/warn-unfenced.ts'
import { settingsModels } from '../../../runtime/settings/load-rules.ts'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { print, type Host, printJson, type Flags, type Values, printEither } from '../host/host.ts'
import { shortPath, diagnosticsText } from '../text/diagnostics-text.ts'
import { UserError } from '../host/user-error.ts'
import { teamSchema } from '../../../runtime/team-files/team-schema.ts'
import { judgeTeamFile } from '../../../runtime/team-files/load-team.ts'
import { teamFileOf } from '../runs/find-team.ts'
import { teamRights, type TeamRights } from '../../../runtime/team-files/team-rights.ts'
import { plainText } from '../../text/plain-text.ts'

/** Writes a first team, its schema for editors and `.troupe/.gitignore`; what exists is left as it is. */
export async function init(dir: string, { name }: { readonly name: string }, host: Host): Promise<ExitCode> {
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(name)) {
    throw new UserError(
      `--name "${name}" must start with a letter a-z and hold only a-z, 0-9 and "-"; e.g. --name my-team`,
    )
  }
  const root = resolve(host.cwd, dir)
  const team = join(root, 'teams', `${name}.yaml`)
  const files: readonly (readonly [string, string])[] = [
    [team, starterTeam(name)],
    [join(root, 'teams', 'team.schema.json'), `${JSON.stringify(teamSchema(), null, 2)}\n`],
    [join(root, '.troupe', '.gitignore'), ignoreText],
  ]
  for (const [file, text] of files) {
    const said = writeNew(file, text) ? 'wrote' : 'kept '
    await print(host.stdout, `${said} ${shortPath(file, host.cwd)}\n`)
  }
  const shown = shortPath(team, host.cwd)
  await print(host.stderr, `Next: edit ${shown}, then troupe check ${shown}\n`)
  return exitCodes.done
}

/** Created exclusively, so that nothing is ever overwritten; false when the file was there. No half file stays. */
function writeNew(file: string, text: string): boolean {
  if (existsSync(file)) return false
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) rmSync(file, { force: true })
    throw error
  }
  return true
}

/** Prints the JSON Schema of team files. */
export async function schema(host: Host): Promise<ExitCode> {
  await printJson(host.stdout, teamSchema())
  return exitCodes.done
}

/** Checks team files; 2 when one of them has an error, warnings alone are no failure. */
export async function check(
  teams: readonly string[],
  options: Flags<'json'> & Values<'model'>,
  host: Host,
): Promise<ExitCode> {
  const model = options.model === undefined ? {} : { model: options.model }
  const read = await Promise.all(
    teams.map((team) =>
      judgeTeamFile(teamFileOf(team, host), {
        cwd: host.cwd,
        env: host.env,
        ...settingsModels(host),
        ...model,
      }),
    ),
  )
  await warnUnfenced(host.cwd, host)
  const diagnostics = read.flatMap((result) => result.diagnostics)
  const ok = diagnostics.every(({ severity }) => severity !== 'error')
  const rights = read.flatMap(({ team }) => (team ? [teamRights(team)] : []))
  const text = humanText(teams, { diagnostics, rights }, host.cwd)
  await printEither({ document: { ok, diagnostics }, text }, options, host)
  return ok ? exitCodes.done : exitCodes.usage
}

interface Checked {
  readonly diagnostics: Parameters<typeof diagnosticsText>[0]
  readonly rights: readonly TeamRights[]
}

function humanText(teams: readonly string[], { diagnostics, rights }: Checked, cwd: string): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const warnings = diagnostics.length - errors
  const list = diagnostics.length > 0 ? `${plainText(diagnosticsText(diagnostics, cwd))}\n` : ''
  const all = rights.flatMap(({ team, lines }) => [`${team}:`, ...lines.map((line) => `  ${line}`)])
  const shown = all.map((line) => `${plainText(line)}\n`).join('')
  return `${list}${shown}${teams.length} checked: ${errors} error(s), ${warnings} warning(s)`
}

/** The team file that `troupe init` writes: small, complete, and ready for a model. */
function starterTeam(name: string): string {
  return `# yaml-language-server: $schema=./team.schema.json
name: ${name}
description: Answers questions about this repository.
# A model for everyone; or leave it out and give --model or TROUPE_MODEL.
# model: provider/model
budget: { turns: 60, minutes: 20 }
coordinator:
  prompt: |
    You lead two colleagues. Decide what has to be found out and who finds it out, hand out self-contained
    tasks with all the context they need, and write the answer yourself from what comes back.
  gather: { wait: all, timeout: 10m }
workers:
  reader:
    description: Reads code and reports what it does, with file names and line numbers.
    prompt: |
      You read code. Look before you answer, and name the file and line for each fact you report.
    tools: [Read, Grep, Glob, LS]
  historian:
    description: Reads the git history and reports who changed what, when and why.
    prompt: |
      You read git history with git log, git show and git diff. Name the commit for each fact you report.
    tools: [Read, Grep, Bash]
`
}
