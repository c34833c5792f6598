import { dirname, resolve } from 'node:path'
import { strictScript } from './strict-script.ts'
import { fit } from '../../adapters/teams/fit.ts'
import { isSource, readSource } from '../../adapters/teams/read-source.ts'
import { parseYaml } from '../../adapters/teams/yaml-source.ts'
import type { UnhashedTeam } from '../../protocol/team/team-card.ts'
import type { WrongScript } from '../../rules/team/model-problems.ts'

const provider = 'scripted/'

/**
 * What is wrong with the scripts that a team names, by model. One that is right needs no validator.
 *
 * @example (await wrongScripts(team))['scripted/gone.yaml'] // { message: '… there is no such file', hint: … }
 */
export async function wrongScripts(team: UnhashedTeam): Promise<Readonly<Record<string, WrongScript>>> {
  const models = team.members.flatMap(({ model, fallback = [], advisor, escalate }) =>
    [model, ...fallback, advisor?.model, escalate?.model].filter((name) => name !== undefined),
  )
  const scripts = [...new Set(models)].filter((name) => name.startsWith(provider))
  const looked = scripts.map(async (name) => {
    const file = name.slice(provider.length)
    return [name, await wrongWith(file, resolve(dirname(team.file), file))] as const
  })
  const all = await Promise.all(looked)
  return Object.fromEntries(all.flatMap(([name, wrong]) => (wrong ? [[name, wrong] as const] : [])))
}

async function wrongWith(file: string, path: string): Promise<WrongScript | undefined> {
  const source = readSource(file, path)
  if (!isSource(source)) {
    return { message: `the script ${file} cannot be read: ${source.message}`, hint: `it is looked for at ${path}` }
  }
  const { value, diagnostics } = parseYaml(file, source.text)
  if (diagnostics.length === 0 && fit(await strictScript(), value) !== undefined) return undefined
  const { parseScript } = await import('../../adapters/models/scripted/script.ts')
  try {
    parseScript(file, source.text)
    return undefined
  } catch (error) {
    const { ModelUnavailable } = await import('../../adapters/models/served/model-unavailable.ts')
    if (!(error instanceof ModelUnavailable)) throw error
    const { message, remedy = '' } = error.failure
    return { message: `the script is wrong: ${message}`, hint: remedy }
  }
}
