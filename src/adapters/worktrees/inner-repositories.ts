import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { WorktreeFile } from '../../protocol/work/worktree.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { git, tryGit } from './git.ts'
import type { GitPlace } from './git-process.ts'

/** A repository inside a tree: a submodule, or one that a member made or cloned there. */
export interface InnerRepository {
  /** `lib` */
  readonly name: string
  readonly place: GitPlace
  /** The tree has its files. */
  readonly checkedOut: boolean
  /** The same submodule's git directory in the repository that the tree belongs to; null where there is none. */
  readonly main: string | null
  readonly isSubmodule: boolean
}

/** The repositories inside a tree, a nested one after the one around it. All of them vanish with the tree. */
export async function innerRepositories(file: WorktreeFile, env: GitPlace['env']): Promise<readonly InnerRepository[]> {
  if (!existsSync(file.tree)) return []
  const own = await git({ cwd: file.tree, env }, 'rev-parse', '--absolute-git-dir')
  const modules = modulesBelow(join(own, 'modules'))
  const found = await Promise.all(
    modules.map(async (name) => {
      const gitDir = join(own, 'modules', name)
      const main = join(file.git, 'modules', name)
      const set = await git({ cwd: gitDir, env }, 'config', '--file', 'config', '--default', '', 'core.worktree')
      const work = resolve(gitDir, set)
      const checkedOut = set !== '' && isInside(file.tree, work) && existsSync(join(work, '.git'))
      const place = { cwd: checkedOut ? work : gitDir, env, gitDir }
      return { name, place, checkedOut, main: existsSync(main) ? main : null, isSubmodule: true }
    }),
  )
  const inModules = found.filter(({ checkedOut }) => checkedOut).map(({ name, place }) => embedded(place, `${name}/`))
  return [...found, ...(await Promise.all([embedded({ cwd: file.tree, env }, ''), ...inModules])).flat()]
}

/** Names of submodules may hold slashes, and submodules may have submodules. */
function modulesBelow(dir: string, prefix = ''): readonly string[] {
  if (!existsSync(dir)) return []
  const folders = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.flatMap(({ name }) => {
    const path = join(dir, name)
    if (!existsSync(join(path, 'HEAD'))) return modulesBelow(path, `${prefix}${name}/`)
    return [`${prefix}${name}`, ...modulesBelow(join(path, 'modules'), `${prefix}${name}/modules/`)]
  })
}

/** Repositories below a place that are no submodules; git shows each as one entry and looks no further. */
async function embedded(place: GitPlace, prefix: string): Promise<readonly InnerRepository[]> {
  const found = (await embeddedPaths(place)).map((path) => {
    const cwd = join(place.cwd, path)
    const own = { cwd, env: place.env, gitDir: join(cwd, '.git') }
    return { name: `${prefix}${path}`, place: own, checkedOut: true, main: null, isSubmodule: false }
  })
  const deeper = await Promise.all(found.map((inner) => embedded(inner.place, `${inner.name}/`)))
  return [...found, ...deeper.flat()]
}

/** The directories below a place that are repositories of their own and no submodules. */
export async function embeddedPaths(place: GitPlace): Promise<readonly string[]> {
  const listed = await git(place, 'ls-files', '-z', '--stage', '--others', '--exclude-standard')
  const paths = listed.split('\0').flatMap((line) => {
    const path = line.replace(/^\d+ [0-9a-f]+ \d\t/, '')
    return line.startsWith('160000 ') || path.endsWith('/') ? [path.replace(/\/$/, '')] : []
  })
  return paths.filter(
    (path) => lstatSync(join(place.cwd, path, '.git'), { throwIfNoEntry: false })?.isDirectory() === true,
  )
}

/** Files of an inner repository that no commit has. */
export async function uncommitted({ place, checkedOut }: InnerRepository): Promise<number> {
  return checkedOut ? changedFiles(place) : 0
}

/** Files of a working tree that no commit has; those of repositories inside it are theirs. */
export async function changedFiles(place: GitPlace): Promise<number> {
  const status = ['status', '--porcelain', '-z', '--untracked-files=normal', '--ignore-submodules=dirty']
  return (await git(place, ...status)).split('\0').filter((line) => line !== '').length
}

/** The commits that the main repository does not have; without a counterpart there, those that came from no server. */
export async function commitsOnlyIn(inner: InnerRepository): Promise<readonly string[]> {
  const tips = await tipsOf(inner)
  if (tips.length === 0) return []
  const input = [...tips, ...(await knownElsewhere(inner))].join('\n')
  const listed = await git({ ...inner.place, input }, 'rev-list', '--ignore-missing', '--stdin')
  return listed === '' ? [] : listed.split('\n')
}

/** The commits that its head, branches, tags and stash stand on. */
export async function tipsOf({ place }: InnerRepository): Promise<readonly string[]> {
  const refs = await refTips(place, 'refs/heads', 'refs/tags', 'refs/stash')
  return [...new Set([...refs, ...(await headOf(place))])]
}

/** The commits that need not be kept, in words for `git rev-list --stdin`. */
export async function knownElsewhere(inner: InnerRepository): Promise<readonly string[]> {
  const main = placeInMain(inner)
  const tips = main ? [...(await refTips(main)), ...(await headOf(main))] : await refTips(inner.place, 'refs/remotes')
  return tips.map((tip) => `^${tip}`)
}

/** The same submodule in the main repository, as a place for git. */
export function placeInMain({ main, place: { env } }: InnerRepository): GitPlace | null {
  return main === null ? null : { cwd: main, env, gitDir: main }
}

async function refTips(place: GitPlace, ...patterns: readonly string[]): Promise<readonly string[]> {
  const peeled = '%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)'
  const said = await git(place, 'for-each-ref', `--format=${peeled}`, ...patterns)
  return said === '' ? [] : said.split('\n')
}

async function headOf(place: GitPlace): Promise<readonly string[]> {
  const { code, out } = await tryGit(place, 'rev-parse', '--verify', '--quiet', 'HEAD')
  return code === 0 ? [out.trim()] : []
}
