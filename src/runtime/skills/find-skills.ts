import { dirname, join } from 'node:path'
import { projectFolders } from '../../adapters/settings/settings-places.ts'
import type { SkillFolder } from '../../adapters/teams/read-skill.ts'
import { commandFiles, holdsSkill, realFolder, skillHead, subfolders } from '../../adapters/teams/skill-folders.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { skillsOfPlugin } from '../plugins/plugin-skills.ts'
import { trustedPlugins } from '../plugins/trusted-plugins.ts'
import type { FindSkills, FoundSkill, SkillPlace } from './found-skills.ts'

/*
 * Finds the skills of a place. Owns their order: the first of a name is the one that counts.
 *
 * 1. The project goes before the person, the nearest folder before those above it; in a folder `.troupe/skills`, then
 *    `.agents/skills`, then `.claude/skills`, then `.troupe/commands`, then `.claude/commands`.
 * 2. A folder that is met under a second name counts once.
 * 3. Skills of plugins stand last, each under the name of its plugin, so that none of them hides another.
 * 4. A skill that cannot be used stands in the list with its reason, and hides no other one.
 */

const rooms = [
  ['.troupe', 'skill'],
  ['.agents', 'skill'],
  ['.claude', 'skill'],
  ['.troupe', 'command'],
  ['.claude', 'command'],
] as const

/** `findSkills({ cwd: '/shop/api', home: '/home/ann' }).filter(({ state }) => state === 'ready')` */
export const findSkills: FindSkills = ({ cwd, home }) => {
  const [seen, taken] = [new Set<string>(), new Set<string>()]
  const ofPlugins = trustedPlugins(home).flatMap((plugin) => skillsOfPlugin(plugin).map((at) => judged(at, taken)))
  const own = placesOf({ cwd, home }).flatMap((place) => {
    const { names, trouble } = membersOf(place)
    const within = names.flatMap((name): readonly FoundSkill[] => {
      const path = join(place.path, name)
      const real = realFolder(path)
      if (seen.has(real)) return []
      seen.add(real)
      return [judged({ ...place, path, shown: join(place.shown, name) }, taken)]
    })
    return [...within, ...(trouble === null ? [] : [unlisted(place, trouble)])]
  })
  return [...own, ...ofPlugins]
}

/** The skills or commands in a folder, by their paths in it. */
function membersOf({ kind, path }: SkillFolder): ReturnType<typeof subfolders> {
  return kind === 'command' ? { names: commandFiles(path), trouble: null } : subfolders(path)
}

/** The folders of skills, the strongest first. */
function placesOf({ cwd, home }: SkillPlace): readonly SkillFolder[] {
  const folders = projectFolders(cwd, home)
  const root = folders[0] ?? cwd
  const places = [
    ...folders.toReversed().map((folder) => ({ folder, root, source: 'project' as const })),
    ...(folders.includes(home) ? [] : [{ folder: home, root: null, source: 'user' as const }]),
  ]
  return places.flatMap(({ folder, ...of }) =>
    rooms.map(([dir, kind]) => {
      const path = join(folder, dir, `${kind}s`)
      return { ...of, kind, path, shown: shownPath(path, { cwd, home }), foreign: dir === '.claude' }
    }),
  )
}

function judged(at: SkillFolder, taken: Set<string>): FoundSkill {
  const { skill, diagnostics } = skillHead(at)
  if (skill === null) return { ...at, state: 'refused', skill, diagnostics }
  const state = taken.has(skill.name) ? 'shadowed' : 'ready'
  taken.add(skill.name)
  return { ...at, state, skill, diagnostics }
}

function unlisted(at: SkillFolder, message: string): FoundSkill {
  const found: Diagnostic = { severity: 'error', code: 'unreadable', message, file: at.shown, line: 1, column: 1 }
  return { ...at, state: 'refused', skill: null, diagnostics: [found] }
}

/**
 * The skills that a path names: one by its folder or its SKILL.md, or all in a folder of skills.
 * @param path absolute
 */
export function skillsAt(path: string, place: SkillPlace): readonly FoundSkill[] {
  const folder = /\/skill\.md$/i.test(path) ? dirname(path) : path
  const inside = holdsSkill(folder) ? [] : subfolders(folder).names.map((name) => join(folder, name))
  const some = inside.some(holdsSkill) ? inside : [folder]
  return some.map((each) => {
    const foreign = each.includes('/.claude/skills/')
    return judged(
      { kind: 'skill', path: each, shown: shownPath(each, place), source: 'user', root: null, foreign },
      new Set(),
    )
  })
}

function shownPath(path: string, { cwd, home }: SkillPlace): string {
  if (isInside(cwd, path)) return path === cwd ? '.' : path.slice(cwd.length + 1)
  return isInside(home, path) ? `~${path.slice(home.length)}` : path
}
