import { toolOptions } from './tool-options.ts'

/** Options of a program that are known, and write no file; with a colon those that take a value. */
type Known = ReadonlyMap<string, 'alone' | 'valued'>

/**
 * Letters and long names as getopt takes them, in full: what is cut short is not known. An option with a single dash and
 * several letters has its dash here, too.
 */
const known: ReadonlyMap<string, Known> = new Map(
  Object.entries({
    ...toolOptions,
    'awk gawk mawk nawk': `b c C g h n N O P r S s t V F: v: f: e: E: i: l: W: field-separator: assign: file: exec: source:
      include: load: posix traditional re-interval non-decimal-data sandbox csv version help`,
    curl: `a B e: f g G i I j J k l L M n N O p q R s S v V Z # 0 1 2 3 4 6 A: b: C: d: E: F: H: K: m: P: Q: r: t: T: u: U: w: x:
      X: y: Y: z: cacert: capath: cert: cert-type: key: key-type: crlfile: config: cookie: data: data-ascii: data-binary:
      data-raw: data-urlencode: json: form: form-string: header: proxy-header: netrc-file: upload-file: etag-compare: url:
      url-query: user: user-agent: request: referer: range: proxy: resolve: connect-to: connect-timeout: max-time: retry:
      retry-delay: retry-max-time: limit-rate: max-redirs: max-filesize: write-out: interface: unix-socket: oauth2-bearer:
      proto: tls-max: ciphers: noproxy: aws-sigv4: pinnedpubkey: continue-at: time-cond: random-file: proxy-cacert: pass:
      proxy-user: doh-url: local-port: speed-limit: speed-time: keepalive-time: parallel-max: rate: output-null silent
      show-error location fail fail-with-body include head insecure verbose compressed remote-name remote-name-all
      remote-header-name create-dirs get globoff http1.1 http2 http3 ipv4 ipv6 no-buffer no-progress-meter progress-bar
      parallel retry-all-errors retry-connrefused location-trusted list-only anyauth basic digest negotiate ntlm netrc`,
    less: `a A B c C d D: e E f F g G h: i I J j: K L m M n N p: P: q Q r R s S t: T: u U V w W x: X y: z: # ~ b: k: chop-long-lines
      quit-at-eof quit-if-one-screen no-init raw-control-chars RAW-CONTROL-CHARS line-numbers LINE-NUMBERS ignore-case
      IGNORE-CASE pattern: tabs: tag: window: lesskey-file: use-color mouse squeeze-blank-lines follow-name`,
    node: `e: p: r: c i h v C: eval: print: check require: import: loader: experimental-loader: conditions: env-file:
      env-file-if-exists: input-type: inspect inspect-brk inspect-wait inspect-port: watch watch-path: watch-preserve-output
      test test-only test-name-pattern: test-skip-pattern: test-reporter: test-concurrency: test-timeout: test-shard:
      test-isolation: test-force-exit test-global-setup: test-coverage-include: test-coverage-exclude: max-old-space-size:
      stack-size: expose-gc enable-source-maps experimental-strip-types experimental-transform-types
      experimental-vm-modules experimental-test-coverage experimental-test-module-mocks experimental-sqlite
      experimental-specifier-resolution: experimental-config-file: openssl-config: icu-data-dir: no-warnings no-deprecation
      no-experimental-strip-types no-strip-types disable-warning: trace-warnings trace-deprecation trace-uncaught
      throw-deprecation unhandled-rejections: preserve-symlinks run: title: permission allow-fs-read: interactive version help`,
    psql: `a A b c: d: e E f: F: h: H l n N p: P: q R: s S t T: U: v: V w W x X z 0 1 command: dbname: file: field-separator:
      host: port: pset: record-separator: set: table-attr: username: variable: quiet tuples-only no-align no-psqlrc expanded
      html csv list single-transaction single-step single-line echo-all echo-errors echo-queries no-password password`,
    'python python3': `b B d E h i I O P q R s S t u v V x c: m: W: Q: check-hash-based-pycs: version help`,
    rsync: `v q c a r R u d l L k K H p E A U X o g D t O J N S n W x m z h P F s y i 0 4 6 b C I e: f: B: M: 8 verbose quiet checksum archive recursive relative update existing
      ignore-existing links copy-links safe-links copy-unsafe-links copy-dirlinks keep-dirlinks hard-links perms executability
      chmod: acls xattrs owner group chown: devices specials times atimes omit-dir-times numeric-ids inplace append
      append-verify whole-file sparse dry-run size-only ignore-times force prune-empty-dirs one-file-system delete
      delete-before delete-during delete-delay delete-after delete-excluded max-delete: max-size: min-size: partial
      delay-updates progress stats human-readable itemize-changes info: debug: out-format: bwlimit: timeout: contimeout:
      exclude: exclude-from: include: include-from: filter: files-from: from0 rsh: rsync-path: compare-dest: copy-dest:
      link-dest: compress compress-level: backup suffix: port: password-file: protect-args cvs-exclude list-only mkpath
      no-perms no-owner no-group no-times no-links no-implied-dirs no-motd ipv4 ipv6 version help`,
    sort: `b d f g h i M n R r s u V z c C m k: t: S: ignore-leading-blanks dictionary-order ignore-case general-numeric-sort
      human-numeric-sort month-sort numeric-sort random-sort reverse stable unique version-sort zero-terminated check merge
      sort: key: field-separator: buffer-size: parallel: batch-size: files0-from: random-source: compress-program: debug`,
    'tar bsdtar': `A c d r t u x j J z Z v w k U m p P s S W l B G h n O o a i R M 0 1 2 3 4 5 6 7 8 9 b: C: f: F: H: I: K: L: N: T: V: X:
      create extract get list append update diff compare delete catenate concatenate file: verbose gzip gunzip ungzip bzip2
      xz lzma lzip lzop zstd compress uncompress auto-compress no-auto-compress use-compress-program: directory: exclude:
      exclude-from: exclude-vcs exclude-vcs-ignores exclude-caches exclude-caches-all exclude-backups exclude-tag:
      exclude-tag-all: exclude-ignore: files-from: null transform: xform: strip-components: owner: group: owner-map:
      group-map: mode: mtime: clamp-mtime sort: format: numeric-owner dereference hard-dereference one-file-system recursion
      no-recursion sparse newer: newer-mtime: after-date: starting-file: label: level: totals checkpoint checkpoint-action:
      to-stdout keep-old-files skip-old-files keep-newer-files overwrite unlink-first absolute-names preserve-permissions
      same-permissions no-same-permissions same-owner no-same-owner same-order posix old-archive wildcards no-wildcards
      anchored ignore-case ignore-failed-read ignore-zeros warning: acls xattrs selinux verify add-file: blocking-factor:
      record-size: utc full-time show-transformed-names show-omitted-dirs block-number occurrence touch force-local`,
    tree: `a d f l x p s h u g D F q N Q r t c U v C A S n J X i L: P: I: H: T: dirsfirst filesfirst noreport prune gitignore inodes
      device du si matchdirs ignore-case sort: filelimit: timefmt: charset: gitfile: fromfile fflinks metafirst`,
    uniq: `c d D i u z 0 1 2 3 4 5 6 7 8 9 f: s: w: count repeated unique ignore-case zero-terminated all-repeated group
      skip-fields: skip-chars: check-chars:`,
    wget: `q v d c N S r p k K m H L E x F b i: t: T: w: Q: U: A: R: D: I: X: l: e: B: -nv -nc -nd -np -nH input-file: base: config:
      post-data: post-file: body-data: body-file: method: header: user-agent: referer: user: password: http-user:
      http-password: ca-certificate: ca-directory: certificate: private-key: crl-file: load-cookies: tries: timeout: wait:
      quota: limit-rate: level: accept: reject: accept-regex: reject-regex: domains: exclude-domains: include-directories:
      exclude-directories: cut-dirs: max-redirect: secure-protocol: restrict-file-names: progress: compression: connect-timeout: read-timeout:
      waitretry: quiet verbose no-verbose continue timestamping recursive no-parent mirror page-requisites convert-links
      adjust-extension no-clobber no-directories no-host-directories spider show-progress no-check-certificate
      content-disposition server-response span-hosts retry-connrefused`,
    xxd: `a b C d e E h i p r R u v c: g: l: n: o: s: -ps -postscript -plain -cols: -groupsize: -len: -name: -seek:`,
    zip: `0 1 2 3 4 5 6 7 8 9 A D E F g h j J l L m o q r R S T u v X y z @ P: s: t: i: x: n: -db -dc -dd -dg -du -dv -fd -fz -ic
      -la -ll -nw -sb -sc -sf -so -sp -sv -ws recurse-paths recurse-patterns junk-paths quiet verbose symlinks update move
      encrypt no-extra no-dir-entries test latest-time grow exclude: include: password: suffixes: split-size: from-date:
      before-date: compression-method:`,
  }).flatMap(([names, list]) => names.split(' ').map((name): [string, Known] => [name, parsed(list)])),
)

function parsed(list: string): Known {
  return new Map(
    list.split(/\s+/).map((each) => (each.endsWith(':') ? [each.slice(0, -1), 'valued'] : [each, 'alone'])),
  )
}

/** The use that an option makes of the text that is glued to it, and of the word behind it. */
interface Taken {
  /** The text may be the name of a file that the program writes. */
  readonly glued: boolean
  /** The word behind is the value of the option, or none, or may be the value of an option that is not known. */
  readonly next: 'value' | 'free' | 'unknown'
}

const harmless: Taken = { glued: false, next: 'free' }
const awaiting: Taken = { glued: false, next: 'value' }

/**
 * The use that a word makes of others, if it is an option; null for a word that is none, and for a program of which
 * the options are not known.
 *
 * @example takenBy('sort', '-k') // the word behind it is a value that sort only reads
 * @example takenBy('sort', '-T') // the word behind it may be written
 */
export function takenBy(program: string, text: string): Taken | null {
  const options = known.get(program)
  if (options === undefined || !/^-[^-]|^--./.test(text)) return null
  const whole = options.get(text)
  if (whole !== undefined) return whole === 'valued' ? awaiting : harmless
  const end = text.indexOf('=')
  // Go takes long names behind a single dash.
  if (!text.startsWith('--'))
    return end !== -1 && options.get(text.slice(0, end)) === 'valued' ? harmless : takenByGroup(options, text.slice(1))
  const kind = options.get(text.slice(2, end === -1 ? undefined : end))
  if (end !== -1) return kind === undefined ? { glued: true, next: 'free' } : harmless
  if (kind === undefined) return { glued: false, next: 'unknown' }
  return kind === 'valued' ? awaiting : harmless
}

/** `-vf`, `-k2`, `-ofile` */
function takenByGroup(options: Known, letters: string): Taken {
  let unknown = false
  for (const [at, letter] of letters.split('').entries()) {
    const kind = options.get(letter)
    if (kind === 'valued' && !unknown) return at === letters.length - 1 ? awaiting : harmless
    unknown ||= kind === undefined
  }
  // A blank is no letter: it stands in the value of one.
  return unknown ? { glued: true, next: /\s/.test(letters) ? 'free' : 'unknown' } : harmless
}

/** Programs that write no file, whatever options and variables they get. */
const neverWriting = new Set(
  `cat tac head tail more nl od hexdump strings base64 base32 cut paste rev fold wc diff cmp comm grep egrep fgrep rg ag ack
  jq md5sum sha1sum sha256sum ls stat file du df test [ [[ echo printf cd pushd popd which type realpath readlink basename
  dirname tr column pwd seq sleep true false : cksum sum sha224sum sha384sum sha512sum b2sum expand unexpand fmt pr join tsort
  nm size readelf`.split(/\s+/),
)
/** `writesNever('grep')`: no option and no variable lets it write a file. */
export function writesNever(program: string): boolean {
  return neverWriting.has(program)
}

/** `--index-file=x`: what becomes of the file is not known. */
const unknownOption =
  /^--(?!(file|files-from|files0-from|include|exclude|glob|iglob|from-file|to-file|config|project|rcfile|reference|regexp|expression|pattern|cwd|directory|prefix|root|path|work-tree|git-dir|ignore-file|require|import|env-file|template|input|source|filter|grep|author|format|pretty)[\w.-]*=)[\w.-]+=./
/** `--cacheDirectory x`: by its name the value is a place. */
const namesPlace = /^(--[\w.-]*(file|dir|directory|folder|root|location|output|out|dest|log|src)|-[oO])$/i
/** Places that are only read. */
const readPlace =
  /^--(file|env-file|.*(config|ignore|input|manifest|body|notes|project|values|var|requirements?)-?(file|dir|path|root)?|git-dir|root-?dir|work-?dir|chdir|directory|root|exclude-dir|include-dir|ca-?file)$/i

/**
 * Whether a word of a program may name a file that an option writes, which is not known to only read.
 *
 * @param before The word in front of it.
 * @example mayBeWritten('zip', 'src/x', '-lf') // true
 */
export function mayBeWritten(program: string, text: string, before: string): boolean {
  const isAboutOption = text.startsWith('-') || before.startsWith('-')
  if (!isAboutOption || writesNever(program)) return false
  if (known.has(program)) {
    const own = takenBy(program, text)
    return own === null ? takenBy(program, before)?.next === 'unknown' : own.glued
  }
  if (unknownOption.test(text)) return true
  return namesPlace.test(before) && !readPlace.test(before) && !(program === 'git' && !before.startsWith('--'))
}
