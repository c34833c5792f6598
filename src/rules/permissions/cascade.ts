import { sourceTraits, type Behavior, type Decision, type Policy } from '../../protocol/permissions/permission.ts'
import { hidesFiles } from '../shell/bash-unseen.ts'
import { isPlainWord, readings } from '../shell/code/code-words.ts'
import { runnableTexts, takesData, wordsOfCode } from '../shell/runnable-texts.ts'
import { codeOf, mentions } from './code-mentions.ts'
import type { Places } from '../paths/path-inside.ts'
import { spots, type Action, type ActionCommand } from './action.ts'
import { runsMade, renamedPrograms } from './new-links.ts'
import { judgeBounds } from './bounds.ts'
import { changesFiles, needsOf, type PermissionNeed } from './defaults.ts'
import { doubts, fileDoubts, forbids, isAboutNames } from './match.ts'
import {
  candidates,
  forbiddenIn,
  mostCovered,
  nameOf,
  policyRules,
  readyRules,
  type Concerned,
  type Listed,
  type PolicyRules,
} from './rule-index.ts'
import { coversTool } from './rule.ts'
import { kindRules } from './saved-rules.ts'
import { isExcluded, leavesSandbox } from './sandboxed-commands.ts'
import { isOpen, openTexts, shorterForms } from '../shell/open-texts.ts'

/**
 * Decides one call. In this order: bounds, deny rules, plan mode, ask rules, allow rules, the mode's own
 * answer. Within a list the six sources are scanned policy, project, local, user, cliArg, session and the
 * first match is named. A compound shell line is allowed only when each of its parts is.
 *
 * @param rules The policy's rules, for callers that keep them prepared.
 * @example decide(analyse(request), policy) // { behavior: 'ask', source: 'mode', reason: '…' }
 */
export function decide(action: Action, policy: Policy, rules: PolicyRules = policyRules(policy)): Decision {
  const places = placesOf(action, policy)
  const bounds = judgeBounds(action, policy)
  if (bounds?.behavior === 'deny') return { behavior: 'deny', source: 'bounds', ...shown(bounds) }
  const concerned = candidates(rules.index, action)
  const denied = firstMatch('deny', { action, places, rules, concerned, fenced: false })
  if (denied !== null) return { behavior: 'deny', ...denied }
  if (policy.mode === 'plan' && changesFiles(action)) {
    return { behavior: 'deny', source: 'mode', reason: 'plan mode changes no files' }
  }
  const floor = bounds !== null && (bounds.always || policy.mode !== 'bypassPermissions') ? shown(bounds) : null
  const fenced = isFenced(action, policy)
  const verdict =
    asked({ action, places, rules, concerned, fenced }) ??
    (floor === null ? permitted({ action, policy, places, rules, concerned, fenced }) : asking('bounds', floor))
  return policy.mode === 'dontAsk' && verdict.behavior === 'ask' ? unasked(verdict) : verdict
}

/**
 * Whether a shell line runs inside a sandbox that makes questions about it needless: there is one, its settings say so,
 * and nothing in the line stays outside. Plan mode and dontAsk keep their own answers.
 */
function isFenced(action: Action, { sandboxed, mode }: Policy): boolean {
  if (sandboxed?.allows !== true || action.tool !== 'Bash' || leavesSandbox(action.input)) return false
  if (mode !== 'default' && mode !== 'acceptEdits') return false
  return !isExcluded(action.commands, sandboxed.excluded)
}

/**
 * The directories that a policy's path rules start from when they judge a call: those of the member, wherever its shell
 * is now.
 */
export function placesOf({ cwd, home }: Action, { directories: [root = cwd] }: Policy): Places {
  return { cwd: root, home, root }
}

type Cause = Pick<Decision, 'reason'> & { readonly path?: string }

function shown({ reason, path }: Cause): Cause {
  return path === undefined ? { reason } : { reason, path }
}

function asking(source: Decision['source'], cause: Cause): Decision {
  return { behavior: 'ask', source, ...cause }
}

function unasked(verdict: Decision): Decision {
  return { ...verdict, behavior: 'deny', source: 'nobody', reason: `dontAsk mode: ${verdict.reason}` }
}

type Match = Pick<Decision, 'source' | 'reason'> & {
  readonly rule: string
  readonly at?: string
  readonly path?: string
}

interface Sought {
  readonly action: Action
  readonly places: Places
  readonly rules: PolicyRules
  /** The rules of all lists that could concern the call. */
  readonly concerned: Concerned
  /** The call runs inside a sandbox that makes questions needless. */
  readonly fenced: boolean
}

function firstMatch(list: Behavior, { action, places, concerned, fenced }: Sought): Match | null {
  for (const { source, text, place, ready } of concerned[list]) {
    // A person's own question about all of Bash is answered by the sandbox.
    if (fenced && sourceTraits[source].personal && ready?.rule.kind === 'tool') continue
    const found = ready === null ? null : forbids(ready, action, places)
    if (found === null) continue
    const path = ready?.rule.kind === 'path' || ready?.rule.kind === 'domain' ? { path: found } : {}
    return { source, rule: text, ...place, reason: `${text} matches ${found}`, ...path }
  }
  return null
}

/** The question about a call: an ask rule matches it, or a rule, a line, a command or a file cannot be judged. */
function asked(sought: Sought): Decision | null {
  const match = firstMatch('ask', sought)
  if (match !== null) return { behavior: 'ask', ...match }
  const blind = firstBlind(sought)
  if (blind === null) return null
  const { source, text, place, ready } = blind.rule
  const reason = ready === null ? `the rule ${text} cannot be read` : `${text} cannot be checked: ${blind.why}`
  return { behavior: 'ask', source, rule: text, ...place, reason }
}

interface Blind {
  readonly rule: Listed
  readonly why: string
}

function firstBlind({ action, places, rules, concerned }: Sought): Blind | null {
  const broken = rules.broken.find(({ about }) => about === null || coversTool(about, action.tool))
  if (broken !== undefined) return { rule: broken.rule, why: '' }
  if (action.tool !== 'Bash') return unread(action, rules)
  const hidden = action.unparsable ?? hiddenText(action, ({ hides }) => hides)
  if (hidden !== null && rules.command !== undefined) return { rule: rules.command, why: hidden }
  const run = mayRun(action, rules) ?? mayRename(action, rules) ?? mayBecome(action, concerned)
  if (run !== null) return run
  const told = mayReadCode(action, { rules, places, concerned })
  if (told !== null) return told
  const [file] = rules.paths
  if (file === undefined) return null
  // A line that hides no command hides no file either.
  const dark = hidden === null ? null : (action.unparsable ?? hiddenText(action, hidesFiles))
  if (dark !== null) return { rule: file, why: dark }
  const found = fileDoubts(action, places)
  if (found === null) return null
  if (found.below.length * rules.paths.length > mostCompared) return { rule: file, why: 'it goes through too much' }
  for (const rule of isAboutNames(found) ? [...concerned.deny, ...concerned.ask] : rules.paths) {
    const why = rule.ready === null ? null : doubts(rule.ready, found, { action, places })
    if (why !== null) return { rule, why }
  }
  return null
}

/** More directories that are gone through, times rules about files, are not compared. */
const mostCompared = 20_000

/** A program that nobody knows may run the command among its arguments. */
function mayRun({ commands, paths }: Action, rules: PolicyRules): Blind | null {
  if (rules.commands.size === 0) return null
  const program = foundProgram({ commands, paths }, rules)
  if (program !== null) return program
  for (const command of commands) {
    if (runsNone(command, rules)) continue
    for (const form of shorterForms(command))
      for (const words of runnableTexts(form)) {
        const found = forbiddenIn(words, rules)
        if (found !== null) return { rule: found.rule, why: `${command.text} may run ${found.text}` }
      }
  }
  return null
}

/** The command has plain words only, and behind its program, about which rules were asked, none has a name that one forbids. */
function runsNone({ words, assignments, fed, written }: ActionCommand, { commands }: PolicyRules): boolean {
  if (assignments.length > 0 || fed !== undefined || written !== undefined || words.length > mostCovered) return false
  return words.every(({ value }, at) => {
    if (value === null || !isPlainWord(value)) return false
    const name = nameOf(value)
    return (at === 0 && name === value) || !commands.has(name.replace(/^--/, ''))
  })
}

/** `gcc -wrapper bin/f*`: a pattern finds a program that a rule forbids, and its command may run it. */
function foundProgram({ commands, paths }: Pick<Action, 'commands' | 'paths'>, rules: PolicyRules): Blind | null {
  for (const path of paths) {
    const command = commands[path.command ?? -1]
    if (path.found !== true || command === undefined || takesData(command.words)) continue
    const found = forbiddenIn(spots(path), rules)
    if (found !== null) return { rule: found.rule, why: `${command.text} may run ${path.path}` }
  }
  return null
}

/**
 * A program takes a file as code that names what a rule forbids: `gdb -x a.gdb`. Whoever allowed this program by its name
 * allowed its files.
 */
function mayReadCode(action: Action, { rules, places, concerned }: Omit<Sought, 'action' | 'fenced'>): Blind | null {
  if (action.disk?.text === undefined || (rules.commands.size === 0 && rules.paths.length === 0)) return null
  for (const command of action.commands) {
    const isNamed = ({ ready }: Listed): boolean =>
      ready?.rule.kind === 'command' && command.spellings.some(ready.covers)
    const held = codeOf(command, action)
    if (held.length === 0 || concerned.allow.some(isNamed)) continue
    for (const { path, from, text } of held) {
      const rule =
        readings(text)
          .map((each) => forbiddenIn(wordsOfCode(each), rules)?.rule)
          .find((each) => each !== undefined) ??
        rules.paths.find(({ ready }) => ready !== null && mentions(ready, text, { from, places }))
      if (rule !== undefined) return { rule, why: `${command.text} reads ${path}, which names what it forbids` }
    }
  }
  return null
}

/** `cp /bin/rm x`: a copy of a program that a rule forbids is not known by its name any more. */
function mayRename(action: Action, rules: PolicyRules): Blind | null {
  if (rules.commands.size === 0) return null
  for (const command of action.commands) {
    for (const path of renamedPrograms(command, action)) {
      const [rule] = path.includes('/') ? (rules.commands.get(nameOf(path)) ?? []) : []
      if (rule !== undefined) return { rule, why: `${command.text} gives ${path} another name` }
    }
  }
  return null
}

/** A command with words that only a running shell knows: it may come to be one that a rule forbids. */
function mayBecome({ commands, paths, disk }: Action, { deny, ask }: Concerned): Blind | null {
  const isAboutCommands = ({ ready }: Listed): boolean => ready?.rule.kind === 'command'
  if (!deny.some(isAboutCommands) && !ask.some(isAboutCommands)) return null
  const rules = [...deny, ...ask]
  for (const [at, command] of commands.entries()) {
    if (!isOpen(command)) continue
    const texts = openTexts(
      command,
      disk?.entries === undefined || paths.some((path) => path.command === at && path.option),
    )
    const rule = rules.find(({ ready }) => texts.some((text) => ready?.mayCover(text)))
    if (rule !== undefined) return { rule, why: `${command.text} may come to be a command that the rule covers` }
  }
  return null
}

/** A call without a file or an address that can be read could be about any. */
function unread({ tool, unparsable }: Action, { paths, hosts }: PolicyRules): Blind | null {
  if (unparsable === undefined) return null
  const rule = [...paths, ...hosts].find(({ ready }) => ready !== null && coversTool(ready.rule, tool))
  return rule === undefined ? null : { rule, why: unparsable }
}

function hiddenText(action: Action, hides: (command: ActionCommand) => boolean): string | null {
  const hidden = action.commands.find(hides) ?? runsMade(action)
  if (hidden === undefined) return null
  return hidden.hazard ?? `what ${hidden.text} runs is not on the line`
}

interface Call extends Sought {
  readonly policy: Policy
}

function permitted(call: Call): Decision {
  const { action, policy, places, concerned, fenced } = call
  if (policy.mode === 'bypassPermissions' && action.destructive !== true) {
    return { behavior: 'allow', source: 'mode', reason: 'bypassPermissions mode asks nothing' }
  }
  if (action.unparsable !== undefined) return asking('mode', { reason: action.unparsable })
  if (fenced) return { behavior: 'allow', source: 'mode', reason: 'it runs inside the sandbox' }
  const onlyReads = policy.mode === 'plan' && action.kind === 'execute'
  let named: Listed | undefined
  const needs = needsOf(action, policy)
  for (const need of needs) {
    // Planning changes nothing, whatever may be changed otherwise.
    const found = onlyReads
      ? undefined
      : concerned.allow.find(({ ready }) => ready !== null && need.permittedBy(ready, places))
    named ??= found
    if (found === undefined && !need.granted()) return unmet(need, call, needs.length === 1)
  }
  if (named === undefined) return { behavior: 'allow', source: 'mode', reason: `${policy.mode} mode allows it` }
  const { source, text, place } = named
  return { behavior: 'allow', source, rule: text, ...place, reason: `${text} allows it` }
}

/** The question about a call; where nothing else is needed, with the rule that would permit it. */
function unmet(need: PermissionNeed, { action, policy, places }: Call, isOnly: boolean): Decision {
  const [rule, ...others] = (isOnly ? kindRules(action, policy.directories[0] ?? action.cwd) : null) ?? []
  const texts = rule === undefined || others.length > 0 ? [] : [rule]
  const [listed] = readyRules({ source: 'user', list: 'allow', texts })
  const way = listed?.ready && need.permittedBy(listed.ready, places) ? `; the allow rule ${rule} would permit it` : ''
  const who = policy.mode === 'dontAsk' ? 'a person would be asked' : `${policy.mode} mode asks`
  return asking('mode', shown({ reason: `${who} before ${need.what()}${way}`, ...need.where }))
}
