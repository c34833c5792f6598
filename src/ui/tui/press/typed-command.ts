import { calledIn } from '../../../runtime/skills/list-commands.ts'
import { draftText, type InputLine } from '../state/input-line.ts'
import { helpLines } from '../question/question-panel.ts'
import { mainKeys } from '../state/keys.ts'
import { commandLines, type ShownCommand } from '../state/screen-commands.ts'
import type { Moment, Pressed, Ui } from '../state/ui.ts'

/** The beginning of a command's name that is being typed; null where something else is. */
export function nameBegun(draft: InputLine): string | null {
  return /^\/([\p{L}\p{N}_.:-]*)$/u.exec(draftText(draft))?.[1] ?? null
}

/** The commands whose names begin so. */
export function matching(begun: string, commands: readonly ShownCommand[]): readonly ShownCommand[] {
  return commands.filter(({ name }) => name.startsWith(begun))
}

/** The line with the name completed as far as all that match agree, and a blank behind the only one. */
export function completedLine(begun: string, commands: readonly ShownCommand[]): InputLine {
  const names = matching(begun, commands).map(({ name }) => name)
  const [first = begun] = names
  let length = first.length
  while (!names.every((name) => name.startsWith(first.slice(0, length)))) length -= 1
  return { before: `/${first.slice(0, length)}${names.length === 1 ? ' ' : ''}`, after: '' }
}

/**
 * The outcome of a typed line that calls a command which is no prompt; null for a line that goes to the member as it is.
 * @param ui with the line still in it
 */
export function commandOrder(
  ui: Ui,
  text: string,
  moment: Pick<Moment, 'commands'>,
): { readonly pressed: Pressed; readonly taken: boolean } | null {
  const called = calledIn(text)
  if (called === null) return null
  const { skill: name, args } = called
  const commands = moment.commands()
  const command = commands.find((each) => each.name === name)
  if (command?.kind === 'prompt') return null
  if (command === undefined) {
    const [near] = matching(name.slice(0, 2), commands)
    const guess = near === undefined ? '' : `; /${near.name}?`
    const note = `there is no command /${name} now${guess} · a blank before the slash sends it as a text`
    return { pressed: { ui: { ...ui, note } }, taken: false }
  }
  const words = args === '' ? [] : args.split(/\s+/)
  if (words.length === 0 && (name === 'model' || name === 'mode'))
    return { pressed: { ui, order: { type: 'options', choose: name, to: [ui.focus] } }, taken: true }
  if (command.kind === 'local')
    return { pressed: { ui, order: { type: 'command', name, args: words, to: ui.focus } }, taken: true }
  return { pressed: onScreen(ui, { name, words }, moment), taken: true }
}

function onScreen(
  ui: Ui,
  { name, words: [member] }: { readonly name: string; readonly words: readonly string[] },
  moment: Pick<Moment, 'commands'>,
): Pressed {
  if (name === 'help') {
    const lines = [...commandLines(moment.commands()), '', ...helpLines(mainKeys)]
    return { ui: shownText(ui, 'Commands and keys', lines.join('\n')) }
  }
  if (name === 'permissions') return { ui, order: { type: 'command', name, args: [], to: ui.focus } }
  if (member === undefined) return { ui: { ...ui, view: 'panes', zoomed: false } }
  if (ui.names.includes(member)) return { ui: { ...ui, view: 'panes', focus: member, zoomed: true } }
  return { ui: { ...ui, note: `there is no member ${member}: ${ui.names.join(', ')}` } }
}

/** The screen with a text over it. */
export function shownText(ui: Ui, title: string, text: string): Ui {
  return { ...ui, overlay: 'output', output: { title, text, top: 0 } }
}

/** Moves in the text that lies over the screen; null for a key that ends it. */
export function movedText(ui: Ui, step: number | undefined): Ui | null {
  if (ui.output === null || step === undefined) return null
  const last = ui.output.text.split('\n').length - 1
  return { ...ui, output: { ...ui.output, top: Math.max(0, Math.min(last, ui.output.top - step)) } }
}
