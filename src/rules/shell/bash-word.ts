/** One word of a command. */
export interface BashWord {
  /** As written, quotes included. */
  readonly text: string
  /** The text that the command gets; null where only a running shell knows. Of a glob: a pattern, quoted wildcards escaped. */
  readonly value: string | null
  /** Holds an unquoted `*`, `?` or `[…]`: stands for the files that match. */
  readonly glob: boolean
  /** An unknown text that is a number, or one of the environment: nothing on the line or in a file chose it. */
  readonly from?: 'number' | 'env'
  /** An unknown text outside of quotes, that may come to be several words. */
  readonly splits?: true
}

/** The text holds no character with a meaning to a shell: its value is the text itself. */
export function isLiteral(text: string): boolean {
  return plain.test(text)
}

const plain = /^[\w@%+=:,./-]+$/

/** Variables that say which program a name means, or what a program does besides what it is told. */
const steering =
  /^(PATH|IFS|CDPATH|HOME|PWD|OLDPWD|SHELL|EDITOR|VISUAL|PAGER|BROWSER|SHELLOPTS|BASHOPTS|BASH_\w+|ENV|PS[0-4]|PROMPT_COMMAND|GLOBIGNORE|EXECIGNORE|FIGNORE|GLOBSORT|POSIXLY_CORRECT|TMPDIR|TZDIR|LOCPATH|NLSPATH|HISTFILE|COMMAND_MODE|CC|CXX|CPP|LD|AR|AS|RUSTC|MAKE\w*|(LD|DYLD|GIT|NODE|PYTHON|PERL\d?|RUBY|GEM|JAVA|JDK|XDG|LESS|NPM|npm_config|NPM_CONFIG|YARN|PNPM|CARGO|RUST|RUSTUP|GO|DOCKER|KUBE|AWS|SSH|GPG|GCONV|GREP|FZF|BAT|MAN|BUNDLE|PIP|UV|POETRY|VIRTUAL|CONDA|BASH_FUNC)_?\w*|\w*(OPTIONS|OPTS|OPT|FLAGS|PAGER|EDITOR|PATH|WRAPPER|SHELL|ASKPASS|STARTUP|PRELOAD|PROXY)|\w*_(HOME|proxy))$/

/** `steers('PATH')`: a command that follows may be another one now. */
export function steers(variable: string): boolean {
  return steering.test(variable)
}
