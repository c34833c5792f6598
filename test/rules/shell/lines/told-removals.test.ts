import { expect, test } from 'vitest'
import { removalsTold } from '../../../../src/rules/shell/lines/told-removals.ts'
import { bashCommands } from '../../../../src/rules/shell/walk/bash-commands.ts'

test.for<[line: string, ...removed: string[]]>([
  [`perl -e 'system("rm -rf /")'`, '/'],
  [`python3 -c "run(['rm','-r','/opt/x'])"`, '/opt/x'],
  [`node -e 'fs.rmSync(homedir())'`, '~'],
  [`npx shx rm -rf ~/x`, '~/x'],
  [`npx rimraf ../x`, '../x'],
  [`perl -e 'system("rm /")'`],
  [`node -e 'confirm -r /'`],
  [`echo rm -rf /`],
  [`git commit -m 'rm -rf /'`],
  [`docker run x rm -rf /`],
])('%s', ([line, ...removed]) => {
  const [command] = bashCommands(line).commands
  expect(command && removalsTold(command)).toEqual(removed)
})
