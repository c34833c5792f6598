import { findTestWithText } from './find-tests.ts'

/** The most that some option lets a program do. */
export interface Farthest {
  /** Options behind which, or glued to which, a value stands: no other option. */
  readonly valued: RegExp
  /** An option with which it goes through directories, shows contents, or changes what it is told. */
  readonly goes?: string
  /** An option with which it writes, or removes, files of any name. */
  readonly writes?: string
  /** An option with which it shows a file of any name. */
  readonly reads?: string
  /** An option with which it runs a command. */
  readonly runs?: string
  /** The file that is shown, or the command, stands in a word of its own. */
  readonly several?: true
}

const searching: Farthest = {
  valued: /^-[\w.]*[efmABCdD]$|^--(regexp|file|max-count|in|ex|context|after|before)[a-z-]*$/,
  goes: '-r',
}
const compiling: Farthest = { valued: /^-[DUIlL]$/, writes: '-o' }
/** The options of programs, by their names. */
export const farthestOptions: Readonly<Record<string, Farthest>> = {
  grep: searching,
  egrep: searching,
  fgrep: searching,
  sed: { valued: /^-[a-zA-Z]*[efl]$|^--(expression|file|line-length)$/, goes: '-i' },
  find: {
    valued: findTestWithText,
    writes: '-delete',
    reads: '-exec',
    runs: '-exec',
    several: true,
  },
  sort: { valued: /^-[a-zA-Z]*[kStT]$|^--(key|field-separator|buffer-size|parallel)$/, writes: '-o' },
  wget: { valued: /^-[a-zA-Z]*[tTwQUe]$|^--(header|user-agent|tries|timeout|post-data)$/, writes: '-O' },
  curl: {
    valued:
      /^-[a-zA-Z]*[HdXAuebmFw]$|^--(header|data[a-z-]*|request|user-agent|user|max-time|retry|form|write-out|url)$/,
    writes: '-o',
  },
  tree: { valued: /^-[LPI]$/, writes: '-o' },
  gcc: compiling,
  'g++': compiling,
  cc: compiling,
  clang: compiling,
  date: { valued: /^-[a-zA-Z]*[drs]$|^--(date|reference|set)$/, reads: '-f' },
  file: { valued: /^-[a-zA-Z]*[FP]$/, reads: '-f' },
  jq: { valued: /^$/, reads: '--rawfile', several: true },
  make: { valued: /^-[a-zA-Z]*[jfCIloW]$/, runs: '--eval' },
  gmake: { valued: /^-[a-zA-Z]*[jfCIloW]$/, runs: '--eval' },
}
/** Options of git behind which a value stands. */
export const valuedOfGit =
  /^(-[nSGLUOlmCc]|--(author|committer|grep|since|until|after|before|max-count|skip|format|date|message|diff-filter|git-dir|work-tree))$/
/** Commands of git that show changes, and write these into a file. */
const showing: Farthest = { valued: valuedOfGit, goes: '-p', writes: '--output' }
/** The same of git, by its commands. */
export const farthestOfGit: ReadonlyMap<string, Farthest> = new Map([
  ...'log diff show shortlog whatchanged reflog stash rev-list diff-tree diff-index diff-files format-patch range-diff'
    .split(' ')
    .map((verb): [string, Farthest] => [verb, showing]),
  ['reset', { valued: valuedOfGit, goes: '--hard' }],
])

/** Of a program without such options. */
export const noOptions: Farthest = { valued: /^$/ }
