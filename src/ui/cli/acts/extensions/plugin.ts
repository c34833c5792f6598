import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { addPlugin, checkedPlugin, removePlugin, type FetchedPlugin } from '../../../../runtime/plugins/add-plugin.ts'
import { addedPlugins, type AddedPlugin } from '../../../../runtime/plugins/trusted-plugins.ts'
import { pluginReport, type PluginReport } from '../../../../runtime/plugins/plugin-report.ts'
import { guessName } from '../../../../runtime/runs/read-runs.ts'
import { plainLine, plainText } from '../../../text/plain-text.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { hasPerson } from '../../host/has-person.ts'
import { print, printEither, type Flags, type Host } from '../../host/host.ts'
import { UserError } from '../../host/user-error.ts'
import { askYesNo } from '../../runs/settle-trust.ts'
import { table } from '../../text/table.ts'

/**
 * Adds a plugin, or brings it up to date.
 * @throws PluginRefused for what is no plugin, or holds what none may
 */
export async function addNewPlugin(source: string, options: Flags<'json' | 'trust'>, host: Host): Promise<ExitCode> {
  const { cwd, home, env, now } = host
  const place = { cwd, home, env, at: new Date(now()).toISOString() }
  const { fetched, done } = await addPlugin(source, place, async (found) => {
    if (options.trust || found.before === 'trusted') return 'trust'
    const untrusted = found.replacesTrusted ? 'drop' : 'keep'
    if (!hasPerson(host)) return untrusted
    await print(host.stderr, `${plainText(reportText(found.report))}\n`)
    const question = 'Trust it? It is asked about again when its files change. [y/N] '
    return (await askYesNo(question, host)) ? 'trust' : untrusted
  })
  const { report, sha256, commit, before } = fetched
  const document = { ...report, sha256, commit, before, added: done !== 'drop', trusted: done === 'trust' }
  await printEither({ document, text: plainText(addedText(fetched, done)) }, options, host)
  return exitCodes.done
}

function addedText({ report, before }: FetchedPlugin, done: 'trust' | 'keep' | 'drop'): string {
  const { name, version } = report
  const called = `${name}${version === null ? '' : ` ${version}`}`
  if (before === 'trusted') return `${called} was there already, with these very files.`
  if (done === 'trust') return `${called} is added and trusted. troupe plugin ls shows it.`
  if (done === 'drop')
    return `${reportText(report)}\n\n${called} is not taken: the files that you trust stay. The same command with --trust takes it.`
  return [
    reportText(report),
    '',
    `${called} is added and not trusted: nothing of it counts. The same command with --trust lets it count.`,
  ].join('\n')
}

/** A plugin for somebody who is to trust it: what it brings, then every program, server and rule. */
function reportText(report: PluginReport): string {
  const { name, version, description, openings, problems, unheeded } = report
  const list = (head: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [head, ...lines.map((line) => `  ${plainLine(line)}`)]
  return [
    `${name}${version === null ? '' : ` ${plainLine(version)}`}${description === '' ? '' : `: ${plainLine(description)}`}`,
    ...list('It brings:', partsOf(report)),
    ...list('It would open this to agents, unasked:', openings),
    ...list(
      'This cannot be used:',
      problems.map(({ file, message }) => `${file} ${message}`),
    ),
    ...list(
      'This means nothing here:',
      unheeded.map(({ file, message }) => `${file}: ${message}`),
    ),
  ].join('\n')
}

function partsOf(report: PluginReport): readonly string[] {
  const { commands, skills, agents, teams, servers, hooks } = report
  const named = { commands: commands.map((name) => `/${name}`), skills, agents, teams, 'MCP servers': servers }
  return [
    ...Object.entries(named).flatMap(([kind, names]) => (names.length === 0 ? [] : [`${kind}: ${names.join(', ')}`])),
    ...(hooks === 0 ? [] : [`hooks: ${hooks}`]),
  ]
}

/** Lists the plugins that were added. */
export async function printPlugins(options: Flags<'json'>, host: Host): Promise<ExitCode> {
  const { plugins, problem } = addedPlugins(host.home)
  if (problem !== null) throw new UserError(problem, exitCodes.environment)
  const rows = plugins.map(({ name, entry, state, content, reason }) => [
    name,
    entry.version === null ? '' : plainLine(entry.version),
    state,
    plainLine(entry.source),
    reason ?? (content === null ? '' : partsOf(pluginReport(content)).join('; ')),
  ])
  const text =
    rows.length === 0
      ? 'No plugins. troupe plugin add SOURCE adds one.'
      : table(['PLUGIN', 'VERSION', 'STATE', 'SOURCE', 'BRINGS'], rows, host.stdout.columns).trimEnd()
  await printEither({ document: { plugins: plugins.map(listed) }, text: plainText(text) }, options, host)
  return exitCodes.done
}

function listed({ name, entry, state, content, reason }: AddedPlugin) {
  return { name, ...entry, state, reason, brings: content === null ? null : pluginReport(content) }
}

/**
 * Removes a plugin.
 * @throws UserError for one that is not there
 */
export async function removeOldPlugin(name: string, options: Flags<'json'>, host: Host): Promise<ExitCode> {
  if (!(await removePlugin(host.home, name))) throw noSuch(name, host)
  await printEither({ document: { removed: name }, text: `${name} is removed.` }, options, host)
  return exitCodes.done
}

function noSuch(name: string, { home }: Pick<Host, 'home'>): UserError {
  const near = guessName(
    name,
    addedPlugins(home).plugins.map((each) => each.name),
  )
  const cure = near === undefined ? 'troupe plugin ls lists them' : `did you mean "${near}"?`
  return new UserError(`there is no plugin "${name}"; ${cure}`)
}

/**
 * Checks plugins; 2 when something in one of them cannot be used, or one may not count.
 * @throws UserError for a text that is neither a directory nor a plugin
 */
export async function checkPlugins(wanted: readonly string[], options: Flags<'json'>, host: Host): Promise<ExitCode> {
  const { plugins } = addedPlugins(host.home)
  const names = wanted.length === 0 ? plugins.map(({ name }) => name) : wanted
  const reports = names.map((name): PluginReport => {
    const path = resolve(host.cwd, name)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return checkedPlugin(path)
    const found = plugins.find((each) => each.name === name)
    if (found === undefined) throw noSuch(name, host)
    if (found.content === null) throw new UserError(`${name}: ${found.reason ?? found.state}`)
    return pluginReport(found.content)
  })
  const ok = reports.every(({ problems }) => problems.length === 0)
  const text = reports.length === 0 ? 'No plugins.' : reports.map(reportText).join('\n\n')
  await printEither({ document: { ok, plugins: reports }, text: plainText(text) }, options, host)
  return ok ? exitCodes.done : exitCodes.usage
}
