import { expect, test } from 'vitest'
import { formattedKinds } from '../../../../src/rules/shell/tools/formatted-kinds.ts'

const words = (line: string) => line.split(' ').map((value) => ({ value }))

test.each([
  ['gofmt -w .', ['*.go']],
  ['go fmt ./...', ['*.go']],
  ['cargo clippy --fix', ['*.rs', 'Cargo.lock']],
  ['terraform fmt -recursive', ['*.tf', '*.tfvars', '*.hcl']],
])('%s changes %j', (line, kinds) => expect(formattedKinds(line.split(' ')[0] ?? '', words(line))).toEqual(kinds))

test.each([
  'go run .',
  'prettier --write .',
  'black --include=.* .',
  'eslint --ext .env --fix .',
  'eslint -c x --fix .',
])('%s may change any', (line) => expect(formattedKinds(line.split(' ')[0] ?? '', words(line))).toBeNull())
