import type { SkillHead, SkillKind } from '../../protocol/skills/skill.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { readHooks } from '../hooks/read-hooks.ts'
import { allowProblem, parseRule } from '../permissions/rule.ts'
import { didYouMean } from '../tools/did-you-mean.ts'
import { isRecord } from '../../protocol/words/is-record.ts'

/** A mistake in the head of a skill, and the key that it is about; `refuses`: the skill cannot be used. */
export interface HeadMistake extends Pick<Diagnostic, 'severity' | 'code' | 'message' | 'hint'> {
  readonly key: string | null
  readonly refuses?: boolean
}

export interface HeadRead {
  /** Null where a mistake refuses the skill. */
  readonly head: SkillHead | null
  readonly mistakes: readonly HeadMistake[]
}

/** The folder of a skill, by which its name is judged. */
interface HeadPlace {
  /** The name of the folder; of a command that of its file. */
  readonly folderName: string
  readonly kind: SkillKind
  /** The first words of the text below the head: they describe a command that has no description. */
  readonly firstLine?: string
  /** A folder of Claude Code, where a name that is missing or malformed gives way to that of the folder. */
  readonly foreign: boolean
}

const [longestName, longestDescription, longestCompatibility] = [64, 1_024, 500] as const
/** A name beyond this is no name. */
const mostName = 255

const specified = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'] as const
const honoured = [
  'when_to_use',
  'argument-hint',
  'arguments',
  'disable-model-invocation',
  'user-invocable',
  'disallowed-tools',
  'hooks',
] as const
/** Keys of Claude Code that change nothing here. A skill speaks to the member that opened it: it starts nobody. */
const unheeded = ['context', 'agent', 'background', 'effort', 'paths', 'shell', 'version', 'mode']

const noMap: HeadRead = {
  head: null,
  mistakes: [
    {
      ...error(null, 'wrong_type', ['the frontmatter is no map of keys', 'write "name: …" and "description: …"']),
      refuses: true,
    },
  ],
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Judges the head of a SKILL.md against the specification. Every breach is an error; the skill can be used all the same where
 * its name and its description are clear.
 *
 * @param value the frontmatter, every scalar as text
 * @example readHead({ name: 'pdf', description: 'Reads PDF files.' }, { folderName: 'pdf', kind: 'skill', foreign: false }).head?.name
 */
export function readHead(value: unknown, place: HeadPlace): HeadRead {
  if (!isRecord(value)) return noMap
  const isCommand = place.kind === 'command'
  const name = isCommand ? commandName(place.folderName) : nameOf(value, place)
  const isDescribed = text(value, 'description') !== ''
  const description = descriptionOf(value, place)
  const compatibility = text(value, 'compatibility')
  const [allow, deny] = [rulesIn(value, 'allowed-tools'), rulesIn(value, 'disallowed-tools')]
  const hooks = hooksIn(value)
  const mistakes = [
    ...name.mistakes,
    ...description.mistakes,
    ...tooLong('compatibility', compatibility, longestCompatibility),
    ...(['license', 'compatibility', 'when_to_use', 'argument-hint'] as const).flatMap((key) => notText(value, key)),
    ...metadataMistakes(value),
    ...allow.mistakes,
    ...deny.mistakes,
    ...hooks.mistakes,
    ...Object.keys(value).flatMap((key) => keyMistake(key, place.kind)),
  ]
  if (mistakes.some(({ refuses }) => refuses)) return { head: null, mistakes }
  return {
    head: {
      name: name.name,
      description: description.text,
      ...textsOf(value),
      ...present('model', isCommand ? modelIn(value) : ''),
      argumentNames: namesIn(value['arguments']),
      allow: allow.rules,
      deny: deny.rules,
      ...hooks.found,
      // A command that nobody described is for persons.
      unlisted: text(value, 'disable-model-invocation') === 'true' || (isCommand && !isDescribed),
      uncallable: text(value, 'user-invocable') === 'false',
    },
    mistakes,
  }
}

function textsOf(value: Fields): Partial<SkillHead> {
  return {
    ...present('whenToUse', text(value, 'when_to_use')),
    ...present('argumentHint', text(value, 'argument-hint')),
    ...present('compatibility', text(value, 'compatibility')),
    ...present('license', text(value, 'license')),
  }
}

function nameOf(value: Fields, { folderName, foreign }: HeadPlace) {
  const folder = folderName.normalize('NFKC')
  const name = text(value, 'name').normalize('NFKC')
  const wrong = name === '' ? missing(value, folder) : malformed(name)
  if (wrong === null) return { name, mistakes: [...tooLong('name', name, longestName), ...otherFolder(name, folder)] }
  const stands = foreign && name.length <= mostName && malformed(folder) === null
  return {
    name: folder,
    mistakes: [
      stands ? { ...wrong, message: `${wrong.message}; it is called "${folder}"` } : { ...wrong, refuses: true },
    ],
  }
}

/** A command is called by the name of its file, in the letters that it has. */
function commandName(file: string) {
  const wrong = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u.test(file)
  const message = `a command cannot be called "${file}"`
  const hint = 'name the file by letters, digits, "-", "_" and "."'
  return {
    name: file,
    mistakes: wrong ? [] : [{ ...error(null, 'invalid_name', [message, hint]), refuses: true }],
  }
}

/** `inherit` is the model that answers anyway. */
function modelIn(value: Fields): string {
  const model = text(value, 'model')
  return model === 'inherit' ? '' : model
}

function missing(value: Fields, folder: string): HeadMistake {
  const hint = `write "name: ${folder}"`
  return 'name' in value && value['name'] !== null && typeof value['name'] !== 'string'
    ? error('name', 'wrong_type', ['name must be text', hint])
    : error('name', 'missing_key', ['name is required', hint])
}

/** Letters and digits of any script, in small letters, with single hyphens between them. */
function malformed(name: string): HeadMistake | null {
  if (name.length > mostName)
    return error('name', 'too_long', [`name has ${name.length} characters`, `at most ${longestName}`])
  if (/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u.test(name) && name === name.toLowerCase()) return null
  const message = `name "${name}" may hold small letters, digits, and single "-" between them`
  const better = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  return error('name', 'invalid_name', [message, better === '' ? 'give it another name' : `write "name: ${better}"`])
}

function otherFolder(name: string, folder: string): readonly HeadMistake[] {
  if (name === folder) return []
  const message = `name "${name}" is not that of its folder, "${folder}"`
  return [error('name', 'name_mismatch', [message, `write "name: ${folder}", or rename the folder`])]
}

function descriptionOf(value: Fields, { kind, foreign, firstLine = '' }: HeadPlace) {
  if (kind === 'command') return { text: text(value, 'description') || firstLine, mistakes: [] }
  const said = text(value, 'description')
  if (said !== '') return { text: said, mistakes: tooLong('description', said, longestDescription) }
  const isMissing = typeof (value['description'] ?? '') === 'string'
  const [code, why] = isMissing ? (['missing_key', 'is required'] as const) : (['wrong_type', 'must be text'] as const)
  const wrong = error('description', code, [`description ${why}`, 'say what the skill does and when it is to be used'])
  // Claude Code takes the first line instead.
  if (foreign && isMissing && firstLine !== '') return { text: firstLine, mistakes: [wrong] }
  return { text: '', mistakes: [{ ...wrong, refuses: true }] }
}

function tooLong(key: string, said: string, most: number): readonly HeadMistake[] {
  const { length } = Array.from(said)
  return length <= most
    ? []
    : [error(key, 'too_long', [`${key} has ${length} characters, more than ${most}`, 'shorten it'])]
}

function notText(value: Fields, key: string): readonly HeadMistake[] {
  const said = value[key] ?? ''
  return typeof said === 'string' ? [] : [error(key, 'wrong_type', [`${key} must be text`, 'it does not count'])]
}

function metadataMistakes({ metadata }: Fields): readonly HeadMistake[] {
  if (
    metadata === undefined ||
    (isRecord(metadata) && Object.values(metadata).every((each) => typeof each === 'string'))
  )
    return []
  return [error('metadata', 'wrong_type', ['metadata must be a map of texts', 'write "key: value" lines below it'])]
}

/** `Bash(git add *) Read`: blanks and commas part rules, but not inside of parentheses. */
function rulesIn(
  value: Fields,
  key: string,
): { readonly rules: readonly string[]; readonly mistakes: readonly HeadMistake[] } {
  const said = value[key]
  if (said === undefined || said === null) return { rules: [], mistakes: [] }
  const isList = Array.isArray(said) && said.every((each) => typeof each === 'string')
  if (typeof said !== 'string' && !isList) {
    return {
      rules: [],
      mistakes: [error(key, 'wrong_type', [`${key} must be text or a list of texts`, 'write "Read Bash(git log:*)"'])],
    }
  }
  const rules = (typeof said === 'string' ? (said.match(/(?:[^\s,(]|\([^)]*(?:\)|$))+/g) ?? []) : said)
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '')
  const broken = rules.flatMap((rule) => {
    const why = whyNot(rule, key)
    return why === null ? [] : [{ rule, why }]
  })
  return {
    rules: rules.filter((rule) => !broken.some((each) => each.rule === rule)),
    mistakes: broken.map(({ why }) => ({
      ...error(key, 'bad_rule', [`${key}: ${why}`, 'it does not count']),
      severity: 'warning',
    })),
  }
}

function whyNot(text: string, key: string): string | null {
  const rule = parseRule(text)
  if ('error' in rule) return rule.error
  return key === 'allowed-tools' ? allowProblem(rule) : null
}

function keyMistake(key: string, kind: SkillKind): readonly HeadMistake[] {
  const known: readonly string[] = [...specified, ...honoured]
  // A command has its name from its file, and a model of its own.
  const isForeign = kind === 'command' ? key === 'name' : key === 'model'
  if (!isForeign && (known.includes(key) || key === 'model')) return []
  if (isForeign || unheeded.includes(key)) {
    const message = `${key} changes nothing here: a ${kind} speaks to the member that opens it`
    return [{ severity: 'warning', code: 'not_honoured', message, key }]
  }
  const guess = didYouMean(key, known)
  return [
    error(key, 'unknown_key', [
      `unknown key "${key}"`,
      guess === undefined ? 'put it under metadata' : `did you mean "${guess}"?`,
    ]),
  ]
}

function hooksIn(value: Fields): {
  readonly found: Pick<SkillHead, 'hooks'>
  readonly mistakes: readonly HeadMistake[]
} {
  const place = { source: 'skill', at: (path: readonly (string | number)[]) => path.join('.') } as const
  const { hooks, complaints } = readHooks(asWritten(value['hooks']), place)
  const mistakes = complaints.map(({ message }): HeadMistake => {
    return { severity: 'warning', code: 'hook_unusable', message, key: 'hooks' }
  })
  return { found: hooks.length === 0 ? {} : { hooks }, mistakes }
}

/** Numbers and truth values of hooks, which are texts here as everything in a head is. */
function asWritten(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => asWritten(each))
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asWritten(each, name)]))
  if (typeof value !== 'string') return value
  if (key === 'timeout') return Number(value)
  const isSwitch = ['once', 'async', 'asyncRewake', 'continueOnBlock'].includes(key)
  return isSwitch ? value === 'true' : value
}

function namesIn(said: unknown): readonly string[] {
  const names = typeof said === 'string' ? said.split(/[\s,]+/) : said
  if (!Array.isArray(names)) return []
  return names.filter((name): name is string => typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name))
}

/** @param words the message and the remedy */
function error(key: string | null, code: string, [message, hint]: readonly [string, string]): HeadMistake {
  return { severity: 'error', code, message, hint, key }
}

function present<Key extends string>(key: Key, said: string): Partial<Record<Key, string>> {
  return said === '' ? {} : ({ [key]: said } as Partial<Record<Key, string>>)
}

function text(value: Fields, key: string): string {
  const said = value[key]
  return typeof said === 'string' ? said.trim() : ''
}
