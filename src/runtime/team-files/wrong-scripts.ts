import { dirname, resolve } from 'node:path'
import { parseScript } from '../../adapters/models/scripted/script.ts'
import { ModelUnavailable } from '../../adapters/models/served/model-unavailable.ts'
import { isSource, readSource } from '../../adapters/teams/read-source.ts'
import type { UnhashedTeam } from '../../protocol/team/team-card.ts'
import { modelsOf, type WrongScript } from '../../rules/team/model-problems.ts'

const provider = 'scripted/'

/**
 * The mistakes in the scripts that a team names, by model.
 *
 * @example wrongScripts(team)['scripted/gone.yaml'] // { message: '… there is no such file', hint: … }
 */
export function wrongScripts(team: UnhashedTeam): Readonly<Record<string, WrongScript>> {
  const scripts = [...new Set(team.members.flatMap(modelsOf))].filter((name) => name.startsWith(provider))
  const all = scripts.flatMap((name) => {
    const file = name.slice(provider.length)
    const wrong = wrongWith(file, resolve(dirname(team.file), file))
    return wrong ? [[name, wrong] as const] : []
  })
  return Object.fromEntries(all)
}

function wrongWith(file: string, path: string): WrongScript | undefined {
  const source = readSource(file, path)
  if (!isSource(source)) {
    return { message: `the script ${file} cannot be read: ${source.message}`, hint: `it is looked for at ${path}` }
  }
  try {
    parseScript(file, source.text)
    return undefined
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error
    const { message, remedy = '' } = error.failure
    return { message: `the script is wrong: ${message}`, hint: remedy }
  }
}
