import type { Settings, SettingsFile } from '../../../protocol/permissions/settings.ts'
import { diagnosticLine } from '../../../runtime/team-files/load-team.ts'
import type { Paint } from '../../text/colour.ts'
import { padWidth, plainLine } from '../../text/terminal-text.ts'

/** The settings in force for people: each file with its source, then what of them does not count and why. */
export function settingsText({ files, untrusted, problems }: Settings, paint: Paint): string {
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
