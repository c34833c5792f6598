import type { BashCommand } from '../bash-command.ts'
import { byProgram, commandName, programName, starts, unwrapped } from '../bash-wrappers.ts'

/** A program that can type into terminals, or windows, that are not its own, and how it comes to do so. */
interface Typist {
  /** One of these behind its name, wherever it stands. */
  readonly words?: RegExp
  /** All that stands behind its name, with a blank between the words. */
  readonly line?: RegExp
  /** The letters of its own options that take a value. */
  readonly valued?: string
  /** Own options with which it takes commands from elsewhere. */
  readonly options?: RegExp
  /** The verb of each of its commands: no operand is an empty one. */
  readonly verbs?: (verb: string) => boolean
  /** The same, and its own options, where a text comes in. */
  readonly fed?: RegExp
}

/** Commands of tmux that type, run what they are told later or elsewhere, or read commands from a file. */
const typing = `send-keys send-prefix paste-buffer pasteb pipe-pane pipep run-shell if-shell respawn-pane respawnp
  respawn-window respawnw set-hook command-prompt confirm-before source-file display-popup popup display-menu menu
  bind-key lock-client lockc lock-server lock-session locks`.split(/\s+/)
/** Whole names of other commands. */
const whole = new Set(['set', 'display'])

/** Each beginning of a name stands for the command, as long as no other one begins so. */
function typesInTmux(verb: string): boolean {
  if (/[$`*?[]/.test(verb)) return true
  return verb !== '' && !whole.has(verb) && typing.some((name) => name.startsWith(verb))
}

const tmux: Typist = {
  words:
    /^(send(-.*)?|paste(b|-.*)?|pipep?(-.*)?|run(-.*)?|if(-.*)?|respawn[pw]?(-.*)?|set-h.*|command(-.*)?|source(-.*)?|lock-command|default-(shell|command))$/,
  // A command in the place of a client that goes, and one in a format.
  line: /(^|\s)det\S*(\s.*)?\s-[aP]*E|#\(/,
  valued: 'LSTcf',
  options: /^-(C|f(?!\/dev\/null$))/,
  verbs: typesInTmux,
  fed: /^(a|at|att.*|new|new-s.*)?$/,
}
const anything: Typist = { line: /^/ }
const bus: Typist = { line: /sendText|runCommand|sendCommand|sendKey/i }
/** `kitty @` without a command takes commands that come in. */
const kitty: Typist = {
  words: /^(@?(send-[tk].*|launch|run|load-config|action|kitten)|\+runpy)$/,
  line: /(^|\s)@(\s+--[\w-]+([=\s]\S+)?)*$|(^|\s)@\s*"?[$`]/,
}
const remoteEditor: Typist = { words: /^--remote-(send|expr)/ }
const typists = byProgram<Typist>({
  tmux,
  tmate: tmux,
  byobu: tmux,
  'byobu-tmux': tmux,
  kitty,
  kitten: kitty,
  wezterm: { words: /^(send-.*|spawn|split-pane)$/, line: /^cli\s+"?[$`]/ },
  zellij: { words: /^(wr.*|run|paste|pipe|new-pane|new-tab)$/, line: /(^|\s)action\s+"?[$`]/ },
  screen: {
    words: /^(stuff|paste|process|exec|-[a-zA-Z]*X.*)$/,
    valued: 'cehpsStT',
    options: /^-(X|c(?!\/dev\/null$))/,
    fed: /^-[rRx]/,
  },
  dtach: { valued: 'er', options: /^-p/, fed: /^-[aA]/ },
  abduco: { valued: 'e', fed: /^-[aA]/ },
  xdotool: { words: /^(type|key|keydown)$/, verbs: (verb) => !/^(get|search|select|version|help|$)/.test(verb) },
  ydotool: { words: /^(type|key|stdin)$/ },
  wlrctl: { words: /^(keyboard|pointer)$/ },
  xvkbd: { words: /^-(te?x?t?|fi?l?e?)$/ },
  cliclick: { words: /^(t|kp|kd|c|dc):|^-f/ },
  it2api: { words: /^(send-text|inject|activate)/ },
  hyprctl: { line: /sendshortcut|sendkeystate/ },
  emacsclient: { words: /^(-[a-zA-Z]*e|--ev.*)$/ },
  osascript: { line: /keystroke|key code|do script|write (text|contents)|input text/i },
  qdbus: bus,
  qdbus6: bus,
  'dbus-send': bus,
  gdbus: bus,
  busctl: bus,
  vim: remoteEditor,
  gvim: remoteEditor,
  nvim: remoteEditor,
  nvr: { words: /^(--remote-(send|expr)|-c{1,2}$)/ },
  wtype: anything,
  dotool: anything,
  dotoolc: anything,
  xte: anything,
  eitype: anything,
  ttyecho: anything,
  reptyr: anything,
})

/** Without one of these texts in it no command needs a closer look. */
export const typistNames =
  /tmux|tmate|byobu|kitt|wezterm|zellij|screen|dtach|abduco|dotool|wtype|xte\b|eitype|xvkbd|wlrctl|cliclick|osascript|it2api|hyprctl|dbus|busctl|emacsclient|--remote-|\bnvr\b|ttyecho|reptyr|ioctl/i

/** Words with which programs type, and which say little else. */
const plainWords =
  /^(send|send-(keys?|prefix|text)|paste-buffer|pasteb|pipe-pane|pipep|run-shell|if-shell|respawn-(pane|window)|respawn[pw]|set-hook|command-prompt|confirm-before|source-file|display-popup|write-chars|stuff)$/

/** Programs of which any word may come to be one that types. */
const terminals = 'tmux tmate byobu kitty kitten wezterm zellij screen xdotool ydotool wtype dotool xte'.split(' ')
/** The same, as patterns of what stands in front of such a word. */
export const terminalPatterns = terminals.flatMap((name) => [name, `*/${name}`])

/** `/usr/bin/tmux`: a program that types, and no file of that name elsewhere. */
export function isTerminalProgram(path: string): boolean {
  return /(^|\/)s?bin\/[^/]+$|^[^/]+$|^\W*[(`]/.test(path) && terminals.includes(plainName(path))
}

/** `isTypingWord('send-keys')`: told to a program that nobody sees, it types where this is tmux. */
export function isTypingWord(word: string): boolean {
  return plainWords.test(word)
}

/** Whether a program types with these words behind its name, wherever they stand: `typesWith('tmux', ['send', 'y'])`. */
export function typesWith(program: string, rest: readonly string[]): boolean {
  const typist = typists.get(plainName(program))
  if (typist === undefined || rest.length === 0) return false
  if (rest.some((each) => typist.words?.test(each) === true)) return true
  if (typist.line?.test(rest.join(' ')) === true) return true
  return typist === tmux && typesInTmux(rest.find((each) => /^\w\w/.test(each)) ?? '')
}

/**
 * The command types into a terminal: by a verb, that may be cut short, by an option, or by what comes in.
 *
 * @example typesIntoTerminal(command of `tmux -C attach`) // true
 */
export function typesIntoTerminal({ words, fed = [], redirects }: BashCommand): boolean {
  const inner = unwrapped(words)
  const isFed = fed.length > 0 || redirects.some(({ access, word }) => access === 'read' && word.value !== '/dev/null')
  const values = inner.map(({ value, text }) => value ?? text)
  if (/^(echo|printf)$/.test(commandName(inner)) && values.some((value) => value.includes('@kitty-cmd'))) return true
  return starts(inner).some((at) => {
    const typist = typists.get(plainName(values[at] ?? ''))
    return typist !== undefined && typesAs(typist, values.slice(at + 1), isFed ? fed : null)
  })
}

function typesAs(typist: Typist, rest: readonly string[], fed: readonly string[] | null): boolean {
  const { words, line, options, verbs } = typist
  if (rest.some((each) => words?.test(each) === true) || line?.test([...rest, ...(fed ?? [])].join(' ')) === true)
    return true
  const own = ownOptions(rest, typist.valued ?? '')
  const operands = rest.slice(own.end)
  if (own.options.some((option) => options?.test(option) === true)) return true
  if (commandsOf(operands).some((verb) => verbs?.(verb) === true)) return true
  return fed !== null && typist.fed !== undefined && [operands[0] ?? '', ...own.options].some(testing(typist.fed))
}

function testing(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text)
}

/** The verbs of `ls ; send y`. */
function commandsOf(operands: readonly string[]): readonly string[] {
  return [operands[0] ?? '', ...operands.filter((_each, at) => operands[at - 1]?.endsWith(';') === true)]
}

interface OwnOptions {
  /** Each with its value: `-Lx`. */
  readonly options: readonly string[]
  /** The place of the first operand. */
  readonly end: number
}

function ownOptions(rest: readonly string[], valued: string): OwnOptions {
  const options: string[] = []
  let end = 0
  for (; /^-./.test(rest[end] ?? '') && rest[end] !== '--'; end += 1) {
    const word = rest[end] ?? ''
    const letters = word.slice(1).split('')
    const at = letters.findIndex((letter) => valued.includes(letter))
    for (const letter of at === -1 ? letters : letters.slice(0, at)) options.push(`-${letter}`)
    if (at === -1) continue
    const glued = word.slice(at + 2)
    options.push(`-${letters[at]}${glued === '' ? (rest[end + 1] ?? '') : glued}`)
    if (glued === '') end += 1
  }
  return { options, end: rest[end] === '--' ? end + 1 : end }
}

/** `Tmux` and `tmux.exe` are found by systems that do not mind; the output of `$(which tmux)` is tmux. */
function plainName(program: string): string {
  const located = /^"?(?:\$\(|`)\s*(?:which|command -v|type)\s+(?:-\w+\s+)*([\w./-]+)/.exec(program)?.[1]
  return programName(located ?? program)
    .toLowerCase()
    .replace(/\.exe$/, '')
}
