import type { Key } from 'node:readline'
import { ownQuestion, type OpenQuestion } from '../../../protocol/tools/own-question.ts'
import type { PlayAct } from '../../../runtime/replay/play-run.ts'
import type { ApprovalFile } from '../../../protocol/permissions/approval-file.ts'

/** One line of the key map, which is also what help and manual show. */
export interface Binding<Name extends string = Act> {
  readonly act: Name
  /** As `keyName` says them. */
  readonly keys: readonly string[]
  readonly does: string
}

/** At the panes of members. */
export const mainKeys = [
  { act: 'mail', keys: ['Enter'], does: 'send what is typed as mail to the member' },
  { act: 'steer', keys: ['Ctrl+S', 'Alt+Enter'], does: 'send it now: what the model is saying is broken off for it' },
  { act: 'interrupt', keys: ['Ctrl+X'], does: 'tell the member to stop what it is doing and wait for you' },
  { act: 'mode', keys: ['Ctrl+O'], does: 'the next permission mode of the member: default, acceptEdits, plan' },
  { act: 'next', keys: ['Tab'], does: 'look at the next member' },
  { act: 'previous', keys: ['Shift+Tab'], does: 'look at the member before' },
  { act: 'zoom', keys: ['Ctrl+F'], does: 'show this member alone, or all again' },
  { act: 'unfold', keys: ['Ctrl+E'], does: 'unfold or fold tool calls, mail and thoughts of this member' },
  { act: 'read', keys: ['Ctrl+R'], does: 'read the transcript: search in it, fold one block, copy, open a file' },
  { act: 'page_up', keys: ['PageUp'], does: 'page back' },
  { act: 'page_down', keys: ['PageDown'], does: 'page on' },
  { act: 'up', keys: ['Up'], does: 'one line back' },
  { act: 'down', keys: ['Down'], does: 'one line on' },
  { act: 'tail', keys: ['End'], does: 'to the latest, or to the end of what is typed' },
  { act: 'questions', keys: ['Ctrl+P'], does: 'answer the questions that wait for somebody' },
  { act: 'erase', keys: ['Backspace', 'Delete'], does: 'erase a character' },
  { act: 'erase_word', keys: ['Ctrl+W'], does: 'erase a word' },
  { act: 'erase_all', keys: ['Ctrl+U'], does: 'erase what is typed' },
  { act: 'left', keys: ['Left'], does: 'move in what is typed' },
  { act: 'right', keys: ['Right'], does: 'move in what is typed' },
  { act: 'start', keys: ['Home', 'Ctrl+A'], does: 'to the start of what is typed' },
  { act: 'mouse', keys: ['Ctrl+T'], does: 'mouse on or off; while it is off, the terminal selects text' },
  { act: 'redraw', keys: ['Ctrl+L'], does: 'draw the screen anew' },
  { act: 'close', keys: ['Esc'], does: 'back to the list of members' },
  { act: 'help', keys: ['?', 'Ctrl+G'], does: 'show the keys (? where nothing is typed)' },
  { act: 'leave', keys: ['Ctrl+C', 'Ctrl+Q'], does: 'leave; the team goes on' },
] as const satisfies readonly Binding<string>[]

/** At a list of the run. Digits are the number of a member. */
export const listKeys = [
  { act: 'up', keys: ['Up', 'k'], does: 'the row above' },
  { act: 'down', keys: ['Down', 'j'], does: 'the row below' },
  { act: 'page_up', keys: ['PageUp'], does: 'a page up' },
  { act: 'page_down', keys: ['PageDown'], does: 'a page down' },
  { act: 'start', keys: ['Home', 'g'], does: 'the first row' },
  { act: 'tail', keys: ['End', 'G'], does: 'the last row' },
  {
    act: 'open',
    keys: ['Enter'],
    does: 'open the row: the pane of a member, a question, the place of a warning, a whole text',
  },
  { act: 'next', keys: ['Tab', 'Right'], does: 'the next list: members, board, mail, approvals, cost, machine, log' },
  { act: 'previous', keys: ['Shift+Tab', 'Left'], does: 'the list before' },
  { act: 'filter', keys: ['/'], does: 'list only rows with these words' },
  { act: 'mark', keys: ['Space'], does: 'mark a member, or not' },
  { act: 'mark_all', keys: ['*'], does: 'mark all that are listed, or none' },
  { act: 'write', keys: ['m'], does: 'write to the marked members, or to the selected one' },
  { act: 'interrupt', keys: ['Ctrl+X'], does: 'tell the member to stop what it is doing and wait for you' },
  { act: 'mode', keys: ['M'], does: 'the next permission mode of the member: default, acceptEdits, plan' },
  { act: 'choose_model', keys: ['c'], does: 'choose the model of the marked members, or of the selected one' },
  { act: 'choose_mode', keys: ['C'], does: 'choose their permission mode' },
  { act: 'stop', keys: ['X'], does: 'twice: stop the member for good; the team goes on' },
  { act: 'restart', keys: ['R'], does: 'twice: cut the member off and start it again, with its conversation' },
  { act: 'zoom', keys: ['Ctrl+F'], does: 'show all members side by side' },
  { act: 'questions', keys: ['Ctrl+P'], does: 'answer the questions that wait for somebody' },
  { act: 'mouse', keys: ['Ctrl+T'], does: 'mouse on or off; while it is off, the terminal selects text' },
  { act: 'redraw', keys: ['Ctrl+L'], does: 'draw the screen anew' },
  { act: 'close', keys: ['Esc'], does: 'end the filter and the marks' },
  { act: 'help', keys: ['?', 'Ctrl+G'], does: 'show the keys' },
  { act: 'leave', keys: ['Ctrl+C', 'Ctrl+Q'], does: 'leave; the team goes on' },
] as const satisfies readonly Binding<string>[]

/** While mail is written from a list; the other keys edit it as everywhere. */
export const writeKeys = [
  { act: 'mail', keys: ['Enter'], does: 'send it' },
  {
    act: 'steer',
    keys: ['Ctrl+S', 'Alt+Enter'],
    does: 'send it now: what their models are saying is broken off for it',
  },
  { act: 'close', keys: ['Esc'], does: 'back to the list; what is typed is kept' },
] as const satisfies readonly Binding<string>[]

/** While a transcript is read, block by block. */
export const readKeys = [
  { act: 'previous', keys: ['Up', 'k'], does: 'the block before' },
  { act: 'next', keys: ['Down', 'j'], does: 'the next block' },
  { act: 'page_up', keys: ['PageUp'], does: 'page back' },
  { act: 'page_down', keys: ['PageDown', 'Space'], does: 'page on' },
  { act: 'start', keys: ['Home', 'g'], does: 'the first block' },
  { act: 'tail', keys: ['End', 'G'], does: 'the latest block' },
  { act: 'filter', keys: ['/'], does: 'search in the transcript, folded blocks too' },
  { act: 'found_next', keys: ['n'], does: 'the next place of what was searched' },
  { act: 'found_before', keys: ['N'], does: 'the place before' },
  { act: 'open', keys: ['Enter'], does: 'unfold or fold this block alone' },
  { act: 'unfold', keys: ['Ctrl+E'], does: 'unfold or fold all blocks of this member' },
  { act: 'copy', keys: ['y'], does: 'copy the block to the clipboard of your terminal (OSC 52)' },
  { act: 'edit_file', keys: ['o'], does: 'open the file of the block at its line, in $VISUAL or $EDITOR' },
  { act: 'whole', keys: ['v'], does: 'show the whole block, with an output that was put aside, in pages' },
  { act: 'fork', keys: ['f'], does: 'make a new run that remembers this one up to here' },
  { act: 'redraw', keys: ['Ctrl+L'], does: 'draw the screen anew' },
  { act: 'close', keys: ['Esc', 'q', 'Ctrl+R'], does: 'back to the pane' },
  { act: 'help', keys: ['?', 'Ctrl+G'], does: 'show the keys' },
  { act: 'leave', keys: ['Ctrl+C', 'Ctrl+Q'], does: 'leave; the team goes on' },
] as const satisfies readonly Binding<string>[]

/** At help, and at a text that is shown alone. */
export const textKeys = [
  { act: 'up', keys: ['Up', 'k'], does: 'one line back' },
  { act: 'down', keys: ['Down', 'j'], does: 'one line on' },
  { act: 'page_up', keys: ['PageUp'], does: 'page back' },
  { act: 'page_down', keys: ['PageDown', 'Space'], does: 'page on' },
  { act: 'redraw', keys: ['Ctrl+L'], does: 'draw the screen anew' },
  { act: 'close', keys: ['Esc', 'Enter', 'q', '?', 'Ctrl+G'], does: 'back' },
  { act: 'leave', keys: ['Ctrl+C', 'Ctrl+Q'], does: 'leave; the team goes on' },
] as const satisfies readonly Binding<string>[]

/** In the list of questions, whatever is asked. */
const askedKeys = [
  { act: 'previous', keys: ['Up', 'Shift+Tab'], does: 'the question before' },
  { act: 'next', keys: ['Down', 'Tab'], does: 'the next question' },
  { act: 'redraw', keys: ['Ctrl+L'], does: 'draw the screen anew' },
  { act: 'close', keys: ['Esc', 'Ctrl+P'], does: 'back; the questions wait on' },
  { act: 'leave', keys: ['Ctrl+C', 'Ctrl+Q'], does: 'leave; the team goes on' },
] as const satisfies readonly Binding<string>[]

/** At a call that waits. */
export const questionKeys = [
  { act: 'allow', keys: ['a'], does: 'allow this call' },
  { act: 'allow_session', keys: ['s'], does: 'allow it for this session' },
  { act: 'allow_save', keys: ['w'], does: 'allow its kind from now on, in your settings of this project' },
  { act: 'advise', keys: ['d'], does: 'deny it, and say what to do instead' },
  { act: 'deny_stop', keys: ['x'], does: 'deny it and end what the member is doing' },
  { act: 'edit', keys: ['e'], does: 'change the call, and allow it so: deny rules are asked again' },
  { act: 'batch', keys: ['b'], does: 'judge all calls of this tool together, or this one alone' },
  { act: 'page_down', keys: ['PageDown'], does: 'page on: it can be allowed when its end was shown' },
  { act: 'page_up', keys: ['PageUp'], does: 'page back' },
  { act: 'down', keys: ['j'], does: 'one line on' },
  { act: 'up', keys: ['k'], does: 'one line back' },
  ...askedKeys,
] as const satisfies readonly Binding<string>[]

/** At a member's own question that has at most nine options. */
const optionKeys = [
  { act: 'pick', keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], does: 'answer with the option of this number' },
] as const satisfies readonly Binding<string>[]

/** At a member's own question, which nobody allows or denies. */
const ownKeys: readonly Binding[] = [
  { act: 'advise', keys: ['Enter'], does: 'write your answer; any letter begins it, and so does pasted text' },
  ...questionKeys.filter(({ act }) => act.startsWith('page')),
  ...askedKeys,
]

/** While a denial is written; the other keys edit it as everywhere. */
export const adviceKeys = [
  { act: 'deny', keys: ['Enter'], does: 'deny it; what is typed is told to the member' },
  { act: 'close', keys: ['Esc', 'Ctrl+P'], does: 'back to the question' },
] as const satisfies readonly Binding<string>[]

/** While a call is changed; the other keys edit it as everywhere. */
export const changeKeys = [
  { act: 'allow', keys: ['Enter'], does: 'allow it as it is typed here' },
  { act: 'up', keys: ['Up'], does: 'the line above, in what is typed' },
  { act: 'down', keys: ['Down'], does: 'the line below' },
  { act: 'edit_file', keys: ['Ctrl+O'], does: 'change it in $VISUAL or $EDITOR' },
  { act: 'close', keys: ['Esc', 'Ctrl+P'], does: 'back to the question' },
] as const satisfies readonly Binding<string>[]

const replyKeys: readonly Binding[] = adviceKeys.map((binding) =>
  binding.act === 'deny' ? { ...binding, does: 'answer with what is typed, or with the numbers of options' } : binding,
)

/** Effects of a key. */
export type Act = (
  | typeof mainKeys
  | typeof listKeys
  | typeof readKeys
  | typeof questionKeys
  | typeof adviceKeys
  | typeof changeKeys
  | typeof optionKeys
)[number]['act']

/** A digit for each option. */
function optionKeysFor({ options, several }: OpenQuestion): readonly Binding[] {
  if (several) return []
  return optionKeys.flatMap((binding) => {
    const keys = binding.keys.slice(0, options.length > binding.keys.length ? 0 : options.length)
    return keys.length === 0 ? [] : [{ ...binding, keys }]
  })
}

/** The keys at the question in front. */
export function keysFor(
  overlay: 'questions' | 'advice' | 'change',
  request: ApprovalFile | undefined,
): readonly Binding[] {
  if (overlay === 'change') return changeKeys
  const own = request === undefined ? null : ownQuestion(request)
  if (overlay === 'advice') return own === null ? adviceKeys : replyKeys
  return own === null ? questionKeys : [...optionKeysFor(own), ...ownKeys]
}

/** While a recorded run is played, at lists and panes. */
export const playKeys = [
  { act: 'pause', keys: ['Space'], does: 'pause, or play on' },
  { act: 'step', keys: ['.'], does: 'the next fact at once' },
  { act: 'faster', keys: ['+'], does: 'play faster' },
  { act: 'slower', keys: ['-'], does: 'play slower' },
] as const satisfies readonly Binding<PlayAct>[]

/** A key that was pressed: its name in the key map, and the text that it types. */
export interface Stroke {
  readonly name: string
  readonly text: string
}

/** Names in the key map by the names that `node:readline` gives. */
const named: Readonly<Record<string, string>> = {
  return: 'Enter',
  escape: 'Esc',
  tab: 'Tab',
  backspace: 'Backspace',
  delete: 'Delete',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  pageup: 'PageUp',
  pagedown: 'PageDown',
  home: 'Home',
  end: 'End',
}

/** Keys that a terminal may tell by their number instead, as `ESC [ number ; 1 + modifiers u`. */
const numbered: Readonly<Record<number, string>> = { 9: 'tab', 13: 'return', 27: 'escape', 127: 'backspace' }

/**
 * The stroke that a key press of `node:readline` is; its name is empty for a sequence without meaning here.
 *
 * @example strokeOf('\u0013', { name: 's', ctrl: true }) // { name: 'Ctrl+S', text: '' }
 */
export function strokeOf(text: string | undefined, key: Key): Stroke {
  const number = /^\u001b\[(\d+)(?:;(\d+))?u$/.exec(key.sequence ?? '')
  if (number) return numberedStroke(Number(number[1]), Number(number[2] ?? 1) - 1)
  const special = named[key.name ?? '']
  if (special !== undefined) return { name: withModifiers(special, key), text: '' }
  if (key.ctrl === true) return { name: `Ctrl+${key.name?.toUpperCase() ?? ''}`, text: '' }
  if (text === undefined) return { name: key.meta === true && key.name ? `Alt+${key.name}` : '', text: '' }
  const plain = text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/g, '')
  return typedStroke(plain)
}

/** The stroke of characters that were typed. */
export function typedStroke(text: string): Stroke {
  return { name: text === ' ' ? 'Space' : text, text }
}

function numberedStroke(code: number, modifiers: number): Stroke {
  const [shift, meta, ctrl] = [1, 2, 4].map((bit) => (modifiers & bit) !== 0)
  const character = code < 32 || code > 0x10ffff ? undefined : String.fromCodePoint(code)
  const key = { name: numbered[code] ?? character, shift, meta, ctrl }
  return strokeOf(meta === true ? undefined : character, key)
}

function withModifiers(name: string, { shift, meta }: Key): string {
  if (name === 'Tab' && shift === true) return 'Shift+Tab'
  return meta === true && name !== 'Esc' ? `Alt+${name}` : name
}

/** The effect of a key under a key map. */
export function actOf<Name extends string = Act>(map: readonly Binding<Name>[], { name }: Stroke): Name | null {
  return map.find(({ keys }) => keys.includes(name))?.act ?? null
}
