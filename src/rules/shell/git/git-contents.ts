/** A word of a command; null where only a running shell knows its value. */
interface Word {
  readonly text: string
  readonly value: string | null
}

/** Options with which git shows less than contents. */
const brief =
  /^(--(stat|shortstat|numstat|dirstat|summary|name-only|name-status|raw|no-patch|quiet|exit-code)(=.*)?|-s|-q)$/
/** Options with which a log shows no contents. */
const listing =
  /^(-\d+|-[niEFPgz]|-n\d+|--(oneline|graph|all|reverse|follow|merges|no-merges|first-parent|decorate|no-decorate|abbrev-commit|no-abbrev-commit|no-color|left-right|cherry-pick|cherry|boundary|parents|children|show-signature|topo-order|date-order|author-date-order|walk-reflogs|no-walk|no-pager|count|objects|branches|tags|remotes|simplify-by-decoration|relative-date|mailmap|source|full-history|(decorate|format|pretty|author|committer|grep|since|until|after|before|date|max-count|skip|abbrev|branches|tags|remotes|glob|exclude|color|diff-filter|encoding)=.*|(author|committer|grep|since|until|after|before|date|max-count|skip)))$/s
/** Options that say which changes a short form lists, and how these are found. */
const choosing =
  /^(-[abmrtwzBDRMC]|-[BMCl]\d+%?|--(cached|staged|merge-base|root|no-commit-id|no-renames|rename-empty|minimal|patience|histogram|text|full-index|compact-summary|cumulative|no-ext-diff|no-textconv|no-color|ours|theirs|base|find-copies-harder|ignore-(space-change|all-space|space-at-eol|blank-lines|cr-at-eol)|(relative|diff-filter|find-renames|find-copies|ignore-submodules|color|diff-algorithm|abbrev|stat-(width|name-width|count|graph-width)|pretty|format)(=.*)?))$/s

/** `showsNone('--oneline')`: the word makes git show no contents of files. */
export function showsNone({ value }: Word): boolean {
  return value === null || !value.startsWith('-') || value === '--' || listing.test(value) || brief.test(value)
}

/**
 * Says whether the words behind a command of git ask for a short form only.
 *
 * @example isBrief(`--stat HEAD~1`) // true
 */
export function isBrief(rest: readonly Word[]): boolean {
  return (
    rest.some(({ value }) => brief.test(value ?? '')) &&
    rest.every((word) => showsNone(word) || choosing.test(word.value ?? ''))
  )
}

/** The id of an object, or the end of what `git describe` says; `100644,ID,name`, `--blob=ID`, `ID:name`. */
const objectId = /(?:^(?:-s)?|[=,]|-g)[0-9a-f]{4,64}(?=$|[:,]|\^\{)/i

/** Says whether a word may be the id of any object: of a file, or of a directory, whose name nobody has said. */
export function mayBeObject({ value, text }: Word): boolean {
  return value === null ? unknownId.test(text) && !ofCommit.test(text) : objectId.test(value)
}

const unknownId = /^["']*[$`{0-9a-f]/i
const ofCommit = /^"?\$\(git rev-parse (--[\w=-]+ )*(HEAD|@)[~^\d]*\)"?$/

/** `git show ID -- name`: the command shows, or takes, an object whatever names follow. */
export function shownById(verb: string, rest: readonly Word[]): boolean {
  return takesObjects(verb, rest) || (verb === 'show' && namesObject(rest))
}

/** Commands to which objects are named elsewhere than on the line, or that only unpack them. */
const always = /^(unpack-file|mktree|fast-import|pack-objects|merge-one-file)$/
/** Commands that take an object of any kind. */
const anyKind = /^(tag|update-ref|commit-tree|merge-file)$/
/** Commands that write single files of the commit, or directory, which they get. */
const writesFiles = /^(checkout|restore|reset)$/
/** Options behind which other commands take, or show, the contents of an object. */
const objectOptions: ReadonlyMap<string, RegExp> = new Map([
  ['notes', /^(-[a-z]*[cC]|--re)/],
  ['config', /^--bl/],
  ['update-index', /^--(ca|index-i)/],
  ['hash-object', /^-t/],
  ['fsck', /^--lo/],
  ['for-each-ref', /%\(raw/],
  ['branch', /%\(raw/],
  ['tag', /%\(raw/],
])

/**
 * Says whether a command of git shows what an object holds, or gives it another name, while the object is told by its id.
 *
 * @example takesObjects('notes', `add -C 2ebd376`) // true
 */
export function takesObjects(verb: string, rest: readonly Word[]): boolean {
  const has = (pattern: RegExp): boolean => rest.some(({ value }) => pattern.test(value ?? ''))
  if (always.test(verb)) return true
  if (verb === 'replace') return !has(/^(-[ld]|--list|--delete)$/)
  const option = objectOptions.get(verb)
  if (option !== undefined && has(option)) return true
  if (anyKind.test(verb)) return namesObject(rest)
  if (!writesFiles.test(verb) || has(/^(-[bB]$|--orphan)/)) return false
  return rest.length > 1 && rest.filter(({ text }) => /^[^-]|^-?-s/.test(text)).length > 1 && namesObject(rest)
}

/** Behind `--` stand the names of files. */
function namesObject(rest: readonly Word[]): boolean {
  const end = rest.findIndex(({ value }) => value === '--')
  return (end === -1 ? rest : rest.slice(0, end)).some(mayBeObject)
}
