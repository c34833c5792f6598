import { parseTeamEdit } from '../../adapters/teams/team-edits.ts'
import { NotForkable } from './fork-run.ts'
import type { ForkTeamOptions } from './fork-team.ts'

/**
 * The wishes for a fork, said as `KEY=VALUE`: `task`, `model`, or a key of the team file, of a member's card by its name.
 *
 * @throws NotForkable for a text without a key, and for a task or model that is no text
 * @example forkWishes(['model=openai/gpt-5', 'ana.tools=[Read]']) // { model: 'openai/gpt-5', with: [{ key: 'ana.tools', … }] }
 */
export function forkWishes(texts: readonly string[]): Pick<ForkTeamOptions, 'task' | 'model' | 'with'> {
  const edits = texts.map((text) => {
    const edit = parseTeamEdit(text)
    if (edit === null) throw new NotForkable(`"${text}" is no KEY=VALUE, such as ana.prompt="Be brief."`)
    return edit
  })
  return {
    ...textOf('task', edits),
    ...textOf('model', edits),
    with: edits.filter(({ key }) => key !== 'task' && key !== 'model'),
  }
}

function textOf(name: 'task' | 'model', edits: NonNullable<ForkTeamOptions['with']>) {
  const edit = edits.findLast(({ key }) => key === name)
  if (edit === undefined) return {}
  if (typeof edit.value === 'string' && edit.value !== '') return { [name]: edit.value }
  throw new NotForkable(
    `${name} needs a text, such as ${name === 'task' ? 'task="Review it."' : 'model=provider/model'}`,
  )
}
