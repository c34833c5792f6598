import { dirname, join, resolve } from 'node:path'
import type { Configuring } from '../../rules/sandbox/sandbox-plan.ts'
import { readPlainFile } from '../fs/plain-file.ts'
import { resolveReal } from '../fs/resolve-real.ts'
import type { Look } from './tree-index.ts'

/**
 * Findings of a look that configure tools, with the places of hooks and further settings that repositories, or a person for all
 * of them, name.
 *
 * @param home Where the person's own settings of git lie.
 * @example configuringFiles(treeIndex().look(['/repo']), '/home/ann').files // ['/repo/.envrc', '/repo/.githooks']
 */
export function configuringFiles(look: Look, home: string): Configuring {
  const { repositories, files } = look
  const everywhere = [join(home, '.gitconfig'), join(home, '.config/git/config')].flatMap((file) => named(file).hooks)
  const places = repositories.flatMap((repository) => {
    const { hooks, settings } = named(join(repository, 'config'))
    const around = dirname(repository)
    return [
      ...[...everywhere, ...hooks].map((path) => resolve(around, path)),
      ...settings.map((path) => resolve(repository, path)),
    ]
  })
  return { ...look, files: [...files, ...places] }
}

const line = /^[ \t]*(?:\[[^\]\n]*\][ \t]*)?(hookspath|path)[ \t]*=[ \t]*"?([^"\n#;]+?)"?[ \t]*(?:[#;].*)?$/gim

/** The places that a file of settings names; those in the home directory are left out. */
function named(file: string): { readonly hooks: readonly string[]; readonly settings: readonly string[] } {
  const found = [...textOf(file).matchAll(line)].map(([, key = '', value = '']) => ({ key: key.toLowerCase(), value }))
  const of = (wanted: string): readonly string[] =>
    found.filter(({ key, value }) => key === wanted && !value.startsWith('~')).map(({ value }) => value)
  return { hooks: of('hookspath'), settings: of('path') }
}

/** The text of a plain file: a pipe in its place would hold up the member. */
function textOf(path: string): string {
  try {
    const read = readPlainFile(resolveReal(path))
    return 'text' in read ? read.text : ''
  } catch {
    // Where there are none, none are named.
    return ''
  }
}
