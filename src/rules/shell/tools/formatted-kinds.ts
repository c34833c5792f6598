/** A word of a command; null where only a running shell knows its value. */
interface Word {
  readonly value: string | null
}

const python = '*.py *.pyi *.pyw *.ipynb pyproject.toml'
const ruby = '*.rb *.rbi *.rake *.ru *.gemspec *.jbuilder Gemfile Rakefile'
const scripts = '*.js *.jsx *.mjs *.cjs *.ts *.tsx *.mts *.cts *.vue *.svelte *.astro *.json *.md *.html *.css'
const kinds: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'black isort ruff autopep8 yapf flake8 pylint pyright bandit pyupgrade': python,
    'rubocop standardrb': ruby,
    'gofmt goimports golangci-lint staticcheck': '*.go',
    rustfmt: '*.rs',
    'clang-format': '*.c *.h *.cc *.cpp *.cxx *.hpp *.hh *.m *.mm *.proto',
    'luacheck stylua': '*.lua',
    'php-cs-fixer pint phpcbf': '*.php',
    ktlint: '*.kt *.kts',
    'eslint oxlint': scripts,
    stylelint: '*.css *.scss *.sass *.less *.vue *.html',
  }).flatMap(([names, patterns]) =>
    names.split(' ').map((name): [string, readonly string[]] => [name, patterns.split(' ')]),
  ),
)
/** The same for tools that do so under some words only. */
const verbKinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['cargo fmt', ['*.rs']],
  ['cargo clippy', ['*.rs', 'Cargo.lock']],
  ['go fmt', ['*.go']],
  ['go fix', ['*.go', 'go.mod']],
  ['go get', ['go.mod', 'go.sum']],
  ['terraform fmt', ['*.tf', '*.tfvars', '*.hcl']],
  ['tofu fmt', ['*.tf', '*.tfvars', '*.tofu', '*.hcl']],
  ['mix format', ['*.ex', '*.exs', '*.heex', '*.eex']],
  ['dart format', ['*.dart']],
  ['zig fmt', ['*.zig', '*.zon']],
])
/** With one of these it may take files of other kinds, or do something else as well. */
const others =
  /^--?(\w+-)*(include|exclude|ext|extension|extensions|supported|parser|plugin|config|settings|lang|language|load|require|rulesdir|resolve|format|o|out|output|stdin|style|c|r)(?=$|[-=.])/

/**
 * Name patterns of the files that a tool changes in the directories which it is given; null where these may be any.
 *
 * @param name The name of the tool.
 * @example formattedKinds('black', words) // ['*.py', …]
 */
export function formattedKinds(name: string, words: readonly Word[]): readonly string[] | null {
  const known = kinds.get(name) ?? verbKinds.get(`${name} ${words[1]?.value ?? ''}`)
  if (known === undefined || words.some(({ value }) => value === null || others.test(value))) return null
  return known
}
