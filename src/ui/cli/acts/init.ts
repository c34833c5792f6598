import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { print, type Host } from '../host/host.ts'
import { shortPath } from '../text/diagnostics-text.ts'
import { starterTeam } from '../runs/starter-team.ts'
import { UserError } from '../host/user-error.ts'

export interface InitOptions {
  readonly name: string
}

/** Writes a first team, its schema for editors and `.troupe/.gitignore`; what exists is left as it is. */
export async function init(dir: string, { name }: InitOptions, host: Host): Promise<ExitCode> {
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(name)) {
    throw new UserError(
      `--name "${name}" must start with a letter a-z and hold only a-z, 0-9 and "-"; e.g. --name my-team`,
    )
  }
  const { teamSchema } = await import('../../../runtime/team-files/team-schema.ts')
  const root = resolve(host.cwd, dir)
  const team = join(root, 'teams', `${name}.yaml`)
  const files: readonly (readonly [string, string])[] = [
    [team, starterTeam(name)],
    [join(root, 'teams', 'team.schema.json'), `${JSON.stringify(teamSchema(), null, 2)}\n`],
    [join(root, '.troupe', '.gitignore'), '*\n'],
  ]
  for (const [file, text] of files) {
    const said = writeNew(file, text) ? 'wrote' : 'kept '
    await print(host.stdout, `${said} ${shortPath(file, host.cwd)}\n`)
  }
  const shown = shortPath(team, host.cwd)
  await print(host.stderr, `Next: edit ${shown}, then troupe check ${shown}\n`)
  return exitCodes.done
}

/** Created exclusively, so that nothing is ever overwritten; false when the file was there. */
function writeNew(file: string, text: string): boolean {
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
