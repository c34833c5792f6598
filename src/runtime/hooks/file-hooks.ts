import { basename, resolve } from 'node:path'
import { watchFiles } from '../../adapters/settings/watch-files.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { ofProject, type Hook, type HookSource } from '../../protocol/hooks/hook.ts'
import type { SettingsPlace } from '../../protocol/permissions/settings.ts'
import type { LiveSettings } from '../settings/open-settings.ts'
import type { AgentHooks } from './hook-engine.ts'
import type { HookAsk, HookMoment } from './hook-place.ts'

/*
 * The events of files: FileChanged, ConfigChange and DirectoryAdded.
 * Owns: which files are watched for hooks. Without a hook that names a file no watcher is opened.
 */

interface Firing extends HookAsk {
  tell(moment: HookMoment): void
}

/** Watches the files that matchers of FileChanged name, and those that its hooks wish to be watched from then on. */
export function watchNamedFiles(hooks: readonly Hook[], cwd: string, { ask }: HookAsk): () => void {
  const own = hooks.filter(({ event }) => event === 'FileChanged')
  const named = own.flatMap(({ matcher }) => (matcher ?? '').split('|').filter((name) => name !== ''))
  if (named.length === 0) return () => undefined
  const always = [...new Set(named.map((name) => resolve(cwd, name)))]
  const changed = (file_path: string, event: string): void => {
    const moment = { event: 'FileChanged', value: basename(file_path), fields: { file_path, event } } as const
    void ask(moment).then(
      ({ own: { watchPaths } = {} }) => watchPaths && look(watchPaths),
      () => undefined,
    )
  }
  let isOver = false
  let close = watchFiles(always, changed)
  const look = (more: readonly string[]): void => {
    if (isOver) return
    void close()
    close = watchFiles([...new Set([...always, ...more.map((path) => resolve(cwd, path))])], changed)
  }
  return () => {
    isOver = true
    void close()
  }
}

const sources = {
  policy: 'policy_settings',
  user: 'user_settings',
  project: 'project_settings',
  local: 'local_settings',
} as const satisfies Record<SettingsPlace['source'], string>

interface Configured extends Firing {
  readonly hooks: AgentHooks
  readonly record: (facts: readonly Fact[]) => void
}

/**
 * ConfigChange hooks are asked before a change of the settings counts; directories that it adds are told afterwards. What a
 * project brings is told of the settings of a person, and asked about those of the project alone.
 */
export function watchConfig(settings: LiveSettings, { ask, tell, hooks, record }: Configured): () => void {
  const vetoes = async ({ path, source, shown }: SettingsPlace): Promise<readonly string[]> => {
    const value = sources[source]
    const fields = { source: value, file_path: path }
    const of = (from: HookSource): boolean => source !== 'policy' && (source !== 'user' || !ofProject.has(from))
    const { blocks, reason } = await ask({ event: 'ConfigChange', value, fields, of })
    if (!blocks) return []
    const message = `a hook keeps ${shown} as it was: ${reason}`
    record([{ type: 'warning.raised', code: 'hook_stopped', message }])
    return [path]
  }
  if (hooks.has('ConfigChange')) settings.guard(async (files) => (await Promise.all(files.map(vetoes))).flat())
  if (!hooks.has('DirectoryAdded')) return () => undefined
  let known = new Set(directoriesOf(settings))
  return settings.subscribe(() => {
    const now = directoriesOf(settings)
    for (const directory of now.filter((each) => !known.has(each)))
      tell({ event: 'DirectoryAdded', value: 'settings', fields: { directory, source: 'settings' } })
    known = new Set(now)
  })
}

function directoriesOf(settings: LiveSettings): readonly string[] {
  return settings.current().additionalDirectories
}
