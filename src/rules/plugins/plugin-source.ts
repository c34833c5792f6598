/** Where a plugin comes from. */
export type PluginSource =
  | { readonly kind: 'directory'; readonly path: string }
  /** `ref`: a branch, a tag or a commit; the default branch without one. */
  | { readonly kind: 'git'; readonly url: string; readonly ref: string | null }

/** The source of a plugin, and the plugin in it where the source holds several. */
export interface WantedPlugin {
  readonly source: PluginSource
  readonly name: string | null
}

const owner = /^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9][\w.-]*$/
/** `git@host:path`. A host that begins with a dash would be an option of ssh. */
const shortSsh = /^[A-Za-z0-9][\w.-]*@[A-Za-z0-9][\w.-]*:[^-\s][^\s]*$/
const named = /^([a-z0-9][a-z0-9._-]*)@(.+)$/s
const ref = /^[A-Za-z0-9][\w./-]*$/

/**
 * Reads a source as people write it: a directory, `owner/repo` of GitHub, the address of a git repository, each with
 * `#branch` behind it and, where it holds several plugins, `NAME@` before it.
 *
 * @param isDirectory whether a text names a directory that is there
 * @returns why it is no source in `trouble`
 * @example parsePluginSource('fmt@acme/plugins#v2', () => false) // { name: 'fmt', source: { kind: 'git', url: 'https://github.com/acme/plugins.git', ref: 'v2' } }
 */
export function parsePluginSource(
  text: string,
  isDirectory: (path: string) => boolean,
): WantedPlugin | { readonly trouble: string } {
  const whole = sourceOf(text, isDirectory)
  if (!('trouble' in whole)) return { source: whole, name: null }
  const [, name, rest] = named.exec(text) ?? []
  if (name === undefined || rest === undefined) return whole
  const source = sourceOf(rest, isDirectory)
  return 'trouble' in source ? source : { source, name }
}

function sourceOf(text: string, isDirectory: (path: string) => boolean): PluginSource | { readonly trouble: string } {
  if (isDirectory(text)) return { kind: 'directory', path: text }
  const hash = text.indexOf('#')
  const address = hash < 0 ? text : text.slice(0, hash)
  const wanted = hash < 0 ? null : text.slice(hash + 1)
  const url = repositoryOf(address)
  if (url === null) return { trouble: notOne(text) }
  if (wanted !== null && (!ref.test(wanted) || wanted.includes('..')))
    return { trouble: `"${wanted}" is no branch, tag or commit` }
  return { kind: 'git', url, ref: wanted }
}

/** Other protocols of git run programs (`ext::`), or speak in the open (`git://`, `http://`). */
function repositoryOf(address: string): string | null {
  if (owner.test(address)) return `https://github.com/${address}.git`
  if (shortSsh.test(address)) return address
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || /[\s\p{Cc}]/u.test(address)) return null
  if (url.protocol === 'file:') return url.host === '' ? address : null
  const isPlain = /^[A-Za-z0-9[]/.test(url.hostname) && !decodeURIComponent(url.username).startsWith('-')
  return (url.protocol === 'https:' || url.protocol === 'ssh:') && isPlain ? address : null
}

function notOne(text: string): string {
  if (/^[./~]/.test(text)) return `there is no directory ${text}`
  if (/^http:/i.test(text)) return 'http:// lets anybody on the way change a plugin; use https://'
  return `"${text}" is no source of a plugin; give a directory, owner/repo, https://…, ssh://…, git@host:path or file:///…`
}
