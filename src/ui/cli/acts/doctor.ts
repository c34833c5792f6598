import { checkEnvironment, type Finding } from '../../../runtime/team-files/check-environment.ts'
import type { Settings } from '../../../protocol/permissions/settings.ts'
import { loadRules } from '../../../runtime/settings/load-rules.ts'
import { paintFor, type Paint } from '../../text/colour.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { padWidth, plainLine } from '../../text/terminal-text.ts'
import { print, type Host } from '../host/host.ts'
import { isSupportedNode, supportedNode } from '../host/package-root.ts'
import { settingsText } from '../text/settings-text.ts'
import { workingDirectory } from '../host/working-directory.ts'

export interface DoctorOptions {
  readonly json?: true | undefined
  readonly cwd?: string | undefined
}

/** The longest name is that of a variable. */
const nameWidth = 'OPENAI_COMPATIBLE_BASE_URL'.length

/** Says what is there and what is missing; 5 when something is missing without which nothing runs. */
export async function doctor(options: DoctorOptions, host: Host): Promise<ExitCode> {
  const cwd = workingDirectory(options.cwd, host)
  const { home, env, policyRoot } = host
  const settings = await loadRules({ cwd, home, policyRoot })
  const findings = [
    nodeFinding(process.versions.node),
    ...checkEnvironment({ cwd, home, env }),
    policyFinding(settings),
  ]
  const ok = findings.every(({ status, essential }) => status === 'ok' || !essential)
  const paint = paintFor(host.stdout, host.env)
  const text = options.json
    ? JSON.stringify({ ok, version: host.version, findings, settings: reported(settings) }, null, 2)
    : [...findings.map((finding) => findingText(finding, paint)), settingsText(settings, paint)].join('\n')
  await print(host.stdout, `${text}\n`)
  return ok ? exitCodes.done : exitCodes.environment
}

function reported({ files, untrusted, problems }: Settings): Pick<Settings, 'files' | 'untrusted' | 'problems'> {
  return { files, untrusted, problems }
}

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
