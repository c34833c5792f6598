import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { explainCall } from '../../../runtime/permissions/permission-report.ts'
import { checkEnvironment, type Finding } from '../../../runtime/team-files/check-environment.ts'
import { lookAtServer, serversHere } from '../../../runtime/mcp/servers-here.ts'
import type { Settings, SettingsFile } from '../../../protocol/permissions/settings.ts'
import { loadRules } from '../../../runtime/settings/load-rules.ts'
import { plainLine } from '../../text/plain-text.ts'
import { type Paint, padWidth } from '../../text/terminal-text.ts'
import { paintFor } from '../../text/theme.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { type Host, type Flags, type Values, printEither, workingDirectory } from '../host/host.ts'
import { isSupportedNode, supportedNode } from '../host/package-root.ts'
import { diagnosticLine } from '../../../runtime/team-files/load-team.ts'

/** The longest name is that of a variable. */
const nameWidth = 'OPENAI_COMPATIBLE_BASE_URL'.length

/** Says what is there and what is missing; 5 when something is missing without which nothing runs. */
export async function doctor(options: Flags<'json'> & Values<'cwd'>, host: Host): Promise<ExitCode> {
  const cwd = workingDirectory(options.cwd, host)
  const { home, env, policyRoot } = host
  const settings = await loadRules({ cwd, home, policyRoot })
  const findings = [
    nodeFinding(process.versions.node),
    ...checkEnvironment({ cwd, home, env }),
    policyFinding(settings),
    ...(await openSecrets({ cwd, home, policyRoot })),
    ...(await serverFindings({ ...host, cwd })),
  ]
  const ok = findings.every(({ status, essential }) => status === 'ok' || !essential)
  const paint = paintFor(host.stdout, host.env)
  const { files, untrusted, problems } = settings
  const document = { ok, version: host.version, findings, settings: { files, untrusted, problems } }
  const text = [...findings.map((finding) => findingText(finding, paint)), settingsText(settings, paint)].join('\n')
  await printEither({ document, text }, options, host)
  return ok ? exitCodes.done : exitCodes.environment
}

/** A file of secrets that every agent may read, since no rule names it. */
async function openSecrets(place: Pick<Host, 'cwd' | 'home' | 'policyRoot'>): Promise<readonly Finding[]> {
  if (!existsSync(join(place.cwd, '.env'))) return []
  const { decision } = await explainCall('Read(.env)', place)
  if (decision.behavior !== 'allow') return []
  const cure = `troupe permissions add --deny 'Read(.env)' closes it`
  return [{ name: '.env', status: 'missing', essential: false, note: 'no rule keeps agents from reading it', cure }]
}

/** Servers that count here are connected once; those that nobody trusts are not started. */
async function serverFindings(
  place: Pick<Host, 'cwd' | 'home' | 'policyRoot' | 'env' | 'version'>,
): Promise<readonly Finding[]> {
  const { servers } = serversHere(place)
  const looks = await Promise.all(servers.map((server) => lookAtServer(server, place)))
  return looks.map(({ name, state, tools, reason }, n): Finding => {
    const finding = { name: `MCP ${name}`, essential: false }
    if (state === 'connected') return { ...finding, status: 'ok', note: `connected, ${tools} tools` }
    const note = `${state}: ${reason ?? ''}`
    if (state === 'disabled') return { ...finding, status: 'ok', note }
    const again = state === 'needs-auth' ? `troupe mcp login ${name}` : `troupe mcp test ${name} looks again`
    return { ...finding, status: 'missing', note, cure: servers[n]?.trusted === false ? trustCure : again }
  })
}

const trustCure = 'troupe trust lets the servers of this directory count'

/** No run starts under a managed policy that cannot be understood. */
function policyFinding({ files }: Settings): Finding {
  const finding = { name: 'managed policy', essential: true }
  const policy = files.filter(({ source }) => source === 'policy')
  const broken = policy.filter(({ status }) => status !== 'read').map(({ file }) => file)
  if (broken.length === 0)
    return { ...finding, status: 'ok', note: policy.map(({ file }) => file).join(', ') || 'none' }
  const cure = 'no team runs until whoever manages this machine mends it; what is wrong is said below'
  return { ...finding, status: 'missing', note: `${broken.join(', ')} cannot be used`, cure }
}

function nodeFinding(version: string): Finding {
  const finding = { name: 'Node', essential: true, note: version }
  if (isSupportedNode(version)) return { ...finding, status: 'ok' }
  return { ...finding, status: 'missing', cure: `get Node ${supportedNode} from https://nodejs.org` }
}

function findingText({ name, status, essential, note, cure }: Finding, paint: Paint): string {
  const mark = markOf(status, essential, paint)
  const line = `${mark} ${padWidth(name, nameWidth)} ${plainLine(note)}`
  return cure === undefined ? line : `${line}\n          ${paint('dim', plainLine(cure))}`
}

function markOf(status: Finding['status'], essential: boolean, paint: Paint): string {
  if (status === 'ok') return paint('green', 'ok     ')
  return essential ? paint('red', 'MISSING') : paint('yellow', 'missing')
}

/** The settings in force for people: each file with its source, then what of them does not count and why. */
function settingsText({ files, untrusted, problems }: Settings, paint: Paint): string {
  const lines = [
    ...files.flatMap((file) => fileLines(file, paint)),
    ...(untrusted.length > 0 ? [paint('yellow', 'not trusted, so it does not count (troupe trust):')] : []),
    ...untrusted.map(({ text, at }) => `  ${plainLine(text)}  ${plainLine(at)}`),
    ...problems.map((problem) =>
      paint(problem.severity === 'error' ? 'red' : 'yellow', plainLine(diagnosticLine(problem))),
    ),
  ]
  return lines.length === 0 ? 'no settings files' : lines.join('\n')
}

const states: Readonly<Record<SettingsFile['status'], string>> = {
  read: '',
  partial: ', only what it forbids',
  unread: ', cannot be read',
}

function fileLines({ source, file, status, rules, ignored }: SettingsFile, paint: Paint): readonly string[] {
  const count = `${rules} ${rules === 1 ? 'rule' : 'rules'}${states[status]}`
  const line = `settings ${padWidth(source, 8)} ${plainLine(file)}  ${paint('dim', count)}`
  if (ignored.length === 0) return [line]
  const keys = ignored.map(({ text, at }) => `${text} (${at})`).join(', ')
  return [line, paint('dim', `          not honoured here: ${plainLine(keys)}`)]
}
