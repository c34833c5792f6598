import { expect, test } from 'vitest'
import { nobodyApprover } from '../../../src/adapters/approvers/nobody.ts'
import { approverContract, question } from '../../contracts/approver.ts'

approverContract('nobody', () => ({ approver: nobodyApprover(), leaveAlone: () => undefined }))

const reasonFor = async (...asked: Parameters<typeof question>): Promise<string> =>
  (await nobodyApprover().answer(question(...asked), new AbortController().signal)).reason

test('quotes the rule for a shell', async () => {
  expect(await reasonFor('echo "$HOME"')).toContain(`--allow 'Bash(echo "$HOME")'`)
  expect(await reasonFor(`echo '$HOME'`)).toContain(`--allow 'Bash(echo '\\''$HOME'\\'')'`)
  expect(await reasonFor("echo 'a'")).toContain(`--allow "Bash(echo 'a')"`)
})

test('does not promise that an allow rule helps against an ask rule', async () => {
  const reason = await reasonFor('git push', { source: 'project', rule: 'Bash(git push:*)' })
  expect(reason).toContain('the project rule Bash(git push:*) asks before any allow rule counts')
  expect(reason).not.toContain('--allow')
})

test('does not promise that a rule opens a bound', async () => {
  const reason = await reasonFor('rm -rf /', { source: 'bounds' })
  expect(reason).toContain('no rule allows it')
  expect(reason).not.toContain('--allow')
})
