/** One word of a command. */
export interface BashWord {
  /** As written, quotes included. */
  readonly text: string
  /** The text that the command gets; null where only a running shell knows. Of a glob: a pattern, quoted wildcards escaped. */
  readonly value: string | null
  /** Holds an unquoted `*`, `?` or `[…]`: stands for the files that match. */
  readonly glob: boolean
  /** An unknown text that is a number, one of the environment, or the name of a pipe: nothing on the line or in a file chose it. */
  readonly from?: 'number' | 'env' | 'pipe'
  /** An unknown text that begins with no dash and holds no blank: the name of a branch. */
  readonly named?: true
  /** An unknown text outside of quotes, that may come to be several words. */
  readonly splits?: true
  /** May come to no word at all: `$A`, `"$@"`, a glob where the line sets options of globs. */
  readonly vanishes?: true
  /** The name of the program that its value is as a command, where that was found when the word was read. */
  readonly program?: string | undefined
  /**
   * Of an unknown text with others beside it: what is left where it comes to nothing, `.env` of `.e${X}nv`. Of a program in
   * capitals: its small name.
   */
  readonly shorter?: readonly string[]
}

const expansion = /\$\([^()]*\)|`[^`]*`|\$\{[^{}]*\}|\$(?:\w+|[!@*])/g

/**
 * The text of a word, without quotes, in which something else stands for each expansion.
 *
 * @example withInstead('.e${X}"nv"', '*') // '.e*nv'
 */
export function withInstead(text: string, instead: string): string {
  return text.replaceAll(expansion, instead).replaceAll(/["'\\]/g, '')
}

/** A word from which bash takes a part away, or in which it puts another one: `${x/Z/}`, `${x:0:3}`, `${x%Z}`. */
const changedText = /\$\{\w+(\[[^\]]*\])?([/#%^,]|:\s*[^-=+?\s])/

/** `cat ${x/Z/}`: a word of the command is a text that bash changes, and nobody knows what comes of it. */
export function changesText({ words }: { readonly words: readonly BashWord[] }): boolean {
  return words.some(({ value, text }) => value === null && changedText.test(text))
}

/** The same word with another value. */
export function withValue(word: BashWord, value: string | null): BashWord {
  return { ...word, value, program: undefined }
}

/** The text holds no character with a meaning to a shell: its value is the text itself. */
export function isLiteral(text: string): boolean {
  return plain.test(text)
}

const plain = /^[\w@%+=:,./-]+$/

/** `env A=1 make`, `dd of=x`: some word has the sign that sets a variable, or gives an option its value. */
export function holdsSettings(words: readonly BashWord[]): boolean {
  return words.some(({ text, value }) => text.includes('=') || (value !== text && value?.includes('=') === true))
}

/** Some word begins with a dash: without one a command has no options, where its program takes these so. */
export function hasOptions(words: readonly BashWord[]): boolean {
  return words.some(({ value, text }) => (value ?? text).startsWith('-'))
}

/** Variables that say which program a name means, or what a program does besides what it is told. */
const steering =
  /^(PATH|IFS|CDPATH|HOME|PWD|OLDPWD|SHELL|EDITOR|VISUAL|PAGER|BROWSER|SHELLOPTS|BASHOPTS|BASH_\w+|ENV|PS[0-4]|TAPE|UNZIP|WGETRC|PROMPT_COMMAND|GLOBIGNORE|EXECIGNORE|FIGNORE|GLOBSORT|POSIXLY_CORRECT|TMPDIR|TZDIR|LOCPATH|NLSPATH|HIST(FILE|FILESIZE|SIZE)|COMMAND_MODE|CC|CXX|CPP|LD|AR|AS|RUSTC|MAKE\w*|(LD|DYLD|GIT|NODE|PYTHON|PERL\d?|RUBY|GEM|JAVA|JDK|XDG|LESS|NPM|npm_config|NPM_CONFIG|YARN|PNPM|CARGO|RUST|RUSTUP|GO|DOCKER|KUBE|AWS|SSH|GPG|GCONV|GREP|FZF|BAT|MAN|BUNDLE|PIP|UV|POETRY|VIRTUAL|CONDA|BASH_FUNC)_?\w*|\w*(OPTIONS|OPTS|OPT|FLAGS|PAGER|EDITOR|PATH|WRAPPER|SHELL|ASKPASS|STARTUP|PRELOAD|PROXY)|\w*_(HOME|proxy))$/

/** `steers('PATH')`: a command that follows may be another one now. */
export function steers(variable: string): boolean {
  return steering.test(variable)
}

/** Variables that change how output looks or how much is tested, never what runs. */
const harmlessVariables =
  /^(NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM|TERM|COLUMNS|LINES|LANG|LANGUAGE|LC_[A-Z]+|TZ|CI|NODE_ENV|RAILS_ENV|RACK_ENV|FLASK_ENV|APP_ENV|MIX_ENV|DEBUG|VERBOSE|V|PORT|HOST|LOG_LEVEL|LOGLEVEL|HEADLESS|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONWARNINGS|PYTHONHASHSEED|GIT_OPTIONAL_LOCKS|GIT_TERMINAL_PROMPT|GOOS|GOARCH|CGO_ENABLED|ASPNETCORE_ENVIRONMENT|DOTNET_ENVIRONMENT|TF_IN_AUTOMATION|TF_LOG|GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|PG(USER|PASSWORD|DATABASE|PORT)|(TEST|SKIP|ENABLE|DISABLE|UPDATE|RUN|USE|TF_VAR|VITE|REACT_APP|NEXT_PUBLIC|NUXT_PUBLIC|EXPO_PUBLIC)_\w+)=/
/** Variables that are harmless with such values: numbers, plain names, memory, lints, and services of this machine. */
const harmlessValues =
  /^((GOMAXPROCS|RUST_TEST_THREADS|CARGO_INCREMENTAL|DOCKER_BUILDKIT|NODE_NO_WARNINGS|PYTHONUTF8)=\d+|GO111MODULE=(on|off|auto)|GOFLAGS=-(mod=(mod|vendor|readonly)|count=\d+|v)|CARGO_TERM_COLOR=[a-z]+|(AWS_PROFILE|AWS_REGION|AWS_DEFAULT_REGION)=[a-z][\w-]*|DJANGO_SETTINGS_MODULE=[a-z_]\w*(\.\w+)*|RUSTFLAGS=["']?-[AWDF] ?[a-z_:-]+["']?|(MAVEN|GRADLE|JAVA)_OPTS=["']?-Xm[sx]\d+[kmgKMG]( -Xm[sx]\d+[kmgKMG])?["']?|(ASPNETCORE|(TEST_)?(DATABASE|DB)|REDIS|MONGO(DB)?|AMQP|API|BASE|APP|SITE|BACKEND|FRONTEND|SERVER)_URLS?=["']?[a-z]+(ql)?:\/\/([\w.-]+(:[\w.-]*)?@)?(localhost|127\.0\.0\.1)(:\d+)?(\/[\w./-]*)?["']?)$/
/** The place of a file for these: plain, and below the directory. */
const harmlessPlaces =
  /^PYTHONPATH=(?:\.|(?:\.\/)?[A-Za-z_][\w-]*(?:\/[A-Za-z_][\w-]*)*)(?::(?:\.|[A-Za-z_][\w-]*(?:\/[\w-]+)*))*$/
/** Pagers and editors that show and change nothing, and how much memory Node takes. */
const harmlessPrograms =
  /^((GIT_|MAN)?PAGER=(cat)?|(GIT_|GIT_SEQUENCE_)?EDITOR=(true|:)|NODE_OPTIONS=--(max-old-space-size=\d+|no-warnings|enable-source-maps|experimental-vm-modules))$/
/** A zone or a language is no path to a file of one. */
const odd = /[$`]|^(TZ|LANG|LANGUAGE|TERM|LC_[A-Z]+)=.*[/:]/

/** `NODE_ENV=test`: programs that get it do what they did. */
export function isHarmlessAssignment(text: string): boolean {
  if (harmlessPrograms.test(text) || harmlessValues.test(text)) return true
  return (harmlessVariables.test(text) || harmlessPlaces.test(text)) && !odd.test(text)
}

const setters = new Set(['export', 'declare', 'typeset', 'local', 'readonly'])

/** Builtins whose assignments later programs may see: `setsVariables('export')`. */
export function setsVariables(name: string): boolean {
  return setters.has(name)
}
