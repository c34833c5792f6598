import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { guessName } from '../../../runtime/runs/read-runs.ts'
import { namePattern, nameSource } from '../../../protocol/words/ids.ts'
import { packageRoot } from '../host/package-root.ts'
import type { Host } from '../host/host.ts'
import { pluginFile } from '../../../runtime/plugins/plugin-parts.ts'
import { UserError } from '../host/user-error.ts'

const teamFile = new RegExp(`^(${nameSource})\\.ya?ml$`)

/**
 * The file that a team argument means: a path stays a path, a bare name is looked up in `./teams` and among the
 * teams that ship, and `plugin:team` is one of a plugin.
 *
 * @throws UserError for a name that neither folder has; it lists the names they have
 */
export function teamFileOf(team: string, { cwd, home }: Pick<Host, 'cwd' | 'home'>): string {
  const ofPlugin = existsSync(resolve(cwd, team)) ? null : pluginFile(home, 'teams', team)
  if (ofPlugin !== null && 'trouble' in ofPlugin) throw new UserError(ofPlugin.trouble)
  if (ofPlugin !== null) return ofPlugin.path
  if (!namePattern.test(team) || existsSync(resolve(cwd, team))) return fileNamed(resolve(cwd, team), team)
  const found = teamFolders(cwd)
    .flatMap((folder) => [join(folder, `${team}.yaml`), join(folder, `${team}.yml`)])
    .find((file) => existsSync(file))
  if (found) return found
  const names = teamNames(cwd)
  const guess = guessName(team, names)
  const cure = guess === undefined ? 'give a path or a name' : `did you mean "${guess}"?`
  throw new UserError(`there is no team "${team}" in ./teams or among those that ship (${names.join(', ')}); ${cure}`)
}

/** A file that is not there, though one beside it is nearly called so, is a typing error. */
function fileNamed(path: string, given: string): string {
  if (existsSync(path) || !existsSync(dirname(path))) return path
  const guess = guessName(
    basename(path),
    readdirSync(dirname(path)).filter((file) => teamFile.test(file)),
  )
  if (guess === undefined) return path
  throw new UserError(`there is no file ${given}; did you mean "${join(dirname(given), guess)}"?`)
}

/** Names that `teamFileOf` finds: those of the working directory first. */
export function teamNames(cwd: string): readonly string[] {
  return [...new Set(teamFolders(cwd).flatMap(namesIn))]
}

/** Names of the teams that come with the package. */
export function shippedTeamNames(): readonly string[] {
  return namesIn(join(packageRoot(), 'teams'))
}

function teamFolders(cwd: string): readonly string[] {
  return [join(cwd, 'teams'), join(packageRoot(), 'teams')]
}

function namesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((file) => teamFile.exec(file)?.[1] ?? [])
    .toSorted()
}
