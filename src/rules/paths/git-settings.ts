/** Settings that name a program which git starts while it only reads, or another file with settings. */
const starting =
  /^(core\.(fsmonitor|pager|sshcommand|gitproxy|askpass|alternaterefscommand)|pager\..+|diff\.external|diff\..+\.(command|textconv)|filter\..+\.(clean|smudge|process)|gpg\.(.+\.)?program|credential\.(.+\.)?helper|remote\..+\.(vcs|uploadpack)|include(if\..+)?\.path)$/s

/** Values that start no program of the repository: those of `git lfs install`, a yes or no, a number of seconds. */
const usual = /^(git-lfs (clean|smudge) -- %f|git-lfs filter-process|true|false|yes|no|on|off|\d+)?$/i

const section = /^\[\s*([\w.-]+)(?:\s+"((?:\\.|[^"\\])*)")?\s*\](.*)$/s
const entry = /^([A-Za-z][\w-]*)\s*(?:=(.*))?$/s

/**
 * The first setting in a repository's own file for which git starts a program while it only reads.
 *
 * @param text the file, as git reads it (git-config(1), "Configuration file")
 * @returns null where there is none; a line that cannot be read counts as one
 * @example settingThatStarts('[diff]\n\texternal = ./x\n') // 'diff.external'
 */
export function settingThatStarts(text: string): string | null {
  let within = ''
  for (const line of text.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    const [, name, part, behind = line] = section.exec(line.trim()) ?? []
    if (name !== undefined) within = `${name.toLowerCase()}.${part === undefined ? '' : `${part}.`}`
    const rest = behind.trim()
    if (rest === '' || /^[#;]/.test(rest)) continue
    const [, key, value = 'true'] = entry.exec(rest) ?? []
    if (key === undefined) return rest
    const setting = `${within}${key.toLowerCase()}`
    if (starting.test(setting) && !usual.test(value.replace(/\s[#;].*$/, '').trim())) return setting
  }
  return null
}
