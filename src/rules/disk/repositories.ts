import { directoryAround, kindsOf, pathIn, type Disk, type Kinds, type Looking, type Repository } from './disk.ts'

/** The repository in which a git command that starts in a directory works; null where there is none. */
export function repositoryOf(directory: string, disk: Looking): Repository | null {
  const place = disk.placeOf(directory)
  const known = disk.repositories?.get(place)
  if (known !== undefined) return known
  const found = searchUp(place, disk)
  disk.repositories?.set(place, found)
  return found
}

function searchUp(directory: string, disk: Disk): Repository | null {
  if (disk.entries === undefined) return null
  let at = disk(directory)
  for (;;) {
    const there = kindsOf(disk.entries(at))
    const git = there.get('.git')
    // Git takes the folder itself where it does not like the `.git` in it.
    const bare = git === 'link' || isRepository(there)
    if (git !== undefined) return { root: at, top: at, bare, linked: git === 'file' && isSubmodule(at, disk) }
    if (bare) return { root: at, top: topOf(at), bare, linked: false }
    if (at === '/') return null
    at = directoryAround(at)
  }
}

function isRepository(there: Kinds): boolean {
  return there.has('HEAD') && (there.has('commondir') || (there.has('objects') && there.has('refs')))
}

/** `/repo/.git/modules/lib` → `/repo/lib`: as a submodule is named, where nobody named it otherwise. */
function topOf(git: string): string {
  return git.replace('/.git/modules/', '/').replace(/\/\.git$/, '') || '/'
}

/** Some repository around it keeps submodules, as its own files say. */
function isSubmodule(directory: string, disk: Disk): boolean {
  for (let at = directory; at !== '/';) {
    at = directoryAround(at)
    const names = disk.entries?.(at)?.map(({ name }) => name) ?? []
    if (names.includes('.gitmodules')) return disk.entries?.(pathIn(at, '.git/modules')) !== null
  }
  return false
}
