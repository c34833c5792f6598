import { findTestWithText } from './find-tests.ts'

/** The most that some option lets a program do. An option counts as one with a value only where the word behind it always is that. */
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
  valued:
    /^-[abcEFGhHiIlLnoPqrRsTUvwxyzZ\d]*[efmABCdD]$|^--(regexp|file|max-count|include|exclude|exclude-from|exclude-dir|(after-|before-)?context|label|directories|devices|binary-files)$/,
  goes: '-r',
}
const compiling: Farthest = { valued: /^-[DUIlL]$/, writes: '-o' }
/** By the names of programs. */
export const farthestOptions: Readonly<Record<string, Farthest>> = {
  grep: searching,
  egrep: searching,
  fgrep: searching,
  sed: { valued: /^-[nrsuzE]*[efl]$|^--(expression|file|line-length)$/, goes: '-i' },
  find: {
    valued: findTestWithText,
    writes: '-delete',
    reads: '-exec',
    runs: '-exec',
    several: true,
  },
  sort: { valued: /^-[bcCdfghiMmnRrsuVz]*[kStT]$|^--(key|field-separator|buffer-size|parallel)$/, writes: '-o' },
  wget: { valued: /^-[bcdFHkKLmNpqrSvx]*[tTwQU]$|^--(header|user-agent|tries|timeout|post-data)$/, writes: '-O' },
  curl: {
    valued:
      /^-[aBfgGiIjJklLnNOpqRsSv#\d]*[HdXAuebmFw]$|^--(header|data[a-z-]*|request|user-agent|user|max-time|retry|form|write-out|url)$/,
    writes: '-o',
  },
  tree: { valued: /^-[LPI]$/, writes: '-o' },
  gcc: compiling,
  'g++': compiling,
  cc: compiling,
  clang: compiling,
  date: { valued: /^-[uR]*[drs]$|^--(date|reference|set)$/, reads: '-f' },
  file: { valued: /^-[bcdEhiklLnNprsvzZ0]*[FP]$/, reads: '-f' },
  jq: { valued: /^$/, reads: '--rawfile', several: true },
  make: { valued: /^-[bBdeiknpqrRsStvw]*[fCIoW]$/, runs: '--eval' },
  gmake: { valued: /^-[bBdeiknpqrRsStvw]*[fCIoW]$/, runs: '--eval' },
}
/** Texts, times and formats in options of git that show commits. */
const ofCommits = 'author|committer|grep|since|until|after|before|max-count|skip|date|diff-filter'
/** Commands of git that show changes, and write these into a file. Of some `-n` takes no number. */
const showing: Farthest = { valued: new RegExp(`^(-[nSGLUOl]|--(${ofCommits}))$`), goes: '-p', writes: '--output' }
const numbering: Farthest = { ...showing, valued: new RegExp(`^(-[SGLUOl]|--(${ofCommits}))$`) }
const stashing: Farthest = { ...showing, valued: /^(-m|--message)$/ }
/** Options of git behind which a value stands, whatever its command. */
export const valuedOfGit = /^(-m|--(message|git-dir|work-tree))$/
/** By the commands of git. */
export const farthestOfGit: ReadonlyMap<string, Farthest> = new Map<string, Farthest>([
  ...'log diff show whatchanged reflog rev-list diff-tree diff-index diff-files'
    .split(' ')
    .map((verb): [string, Farthest] => [verb, showing]),
  ...'shortlog format-patch range-diff'.split(' ').map((verb): [string, Farthest] => [verb, numbering]),
  ['stash', stashing],
  ['reset', { valued: /^--pathspec-from-file$/, goes: '--hard' }],
])

/** Of a program without such options. */
export const noOptions: Farthest = { valued: /^$/ }
