import { expect, test } from 'vitest'
import { mayMatch, openTexts } from '../../../src/rules/shell/open-texts.ts'
import { bashCommands } from '../../../src/rules/shell/walk/bash-commands.ts'

function mayBe(line: string, pattern: string, hasOptions = false): boolean {
  const [command] = bashCommands(line).commands
  return command !== undefined && openTexts(command, hasOptions).some((text) => mayMatch(pattern, text))
}

test.each([
  ['git $(cat x) origin', true],
  ['git "$(cat x)" origin', true],
  ['git -C sub "$(cat x)" origin', true],
  ['env git $(cat x)', true],
  ['git "${a[@]}"', true],
  ['git pus? origin', true],
  ['git PU*', true],
  ['git $A push', true],
  ['git $A -C sub push', true],
  ['git $A $B $C $D $E push', true],
  ['git pu$(cat x)', true],
  ['timeout 5 xargs git', true],
  // What the environment holds, no line chose.
  ['git "$x" origin', false],
  ['git log "$(cat x)"', false],
  ['git -C "$(cat x)" log', false],
  ['git pul*', false],
  ['git pul$(cat x)', false],
  ['git --no-pager "$(cat x)" origin', true],
  ['git -c "$(cat x)" -C sub "$(cat y)"', true],
  ['git -C $(cat x) log', true],
  ['git -c "user.name=$(cat x)" log', false],
  ['gti $(cat x)', false],
  // A pattern of many stars is compared at once.
  [`git ${'*'.repeat(60)}x`, false],
])('%s may be git push: %s', (line, expected) => {
  expect(mayBe(line, 'git push') || mayBe(line, 'git push *')).toBe(expected)
})

test.each([
  ['rm * -rf *', 'rm $(echo -rf) x', true],
  ['rm * -rf *', 'rm $(echo a -rf) x', true],
  ['rm * -rf *', 'rm a "$(echo -rf)" x', true],
  ['rm * -rf *', 'rm a "-$(echo rf)" x', true],
  ['rm * -rf *', 'rm a -r$(echo f) x', true],
  ['rm * -rf *', 'rm a "b $(echo -rf)" x', false],
  ['rm * -rf *', 'rm a "$X" x', false],
  ['rm * -rf *', 'xargs rm a', true],
  ['rm * -rf *', 'xargs -I% rm a % b', true],
  ['rm * -rf *', 'xargs -I% cp a % b', false],
  ['rm * -rf *', 'rm a *.ts b', false],
  ['rm * -9 *', 'rm a $# b', false],
  ['kill * 1', 'kill -9 $?', true],
  ['git push * main', 'git push origin $(cat x)', true],
  ['git push * main', 'git push origin ma*', true],
  ['git push * main', 'git push origin d*', false],
  ['git push * main', 'git push origin "$(cat x)/dev"', false],
  ['git push * main', 'git push origin "${A:-$(cat x)}in"', true],
  ['git commit * --no-verify*', 'git commit -m "$(cat x)"', false],
  ['git commit * --no-verify*', 'git commit -am "fix $(cat x)"', false],
  ['git commit * --no-verify*', 'git commit -a "$(cat x)"', true],
  ['* --force', 'npm i "$(cat x)"', true],
  ['* --force', 'npm i "x$(cat x)"', false],
  ['* --force', 'npm i "$(cat x)" a', false],
])('of %s: %s may be one: %s', (pattern, line, expected) => {
  expect(mayBe(line, pattern)).toBe(expected)
})

test('a file whose name begins with a dash is an option', () => {
  expect(mayBe('rm a * x', 'rm * -rf *', true)).toBe(true)
  expect(mayBe('rm a * x', 'rm * -rf *', false)).toBe(false)
})
