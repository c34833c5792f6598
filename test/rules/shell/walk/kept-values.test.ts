import { describe, expect, test } from 'vitest'
import { analyse } from '../../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../../src/rules/permissions/cascade.ts'

function judge(command: string) {
  const action = analyse({ tool: 'Bash', input: { command }, cwd: '/home/ann/repo', home: '/home/ann' })
  const bounds = { protected: [], scope: [], blockedHosts: [] }
  const rules = { project: { allow: ['Bash'], deny: ['Read(.env)'] } }
  return decide(action, { mode: 'default', rules, bounds, directories: ['/home/ann/repo'] }).behavior
}

/** Lines behind which `v` may hold `.env`, as bash runs them. */
const kept = [
  'v=.env; : $((0 && (v=1)))',
  'v=.env; ((1 || v++))',
  'v=.env; ((0 ? v=1 : 2))',
  'v=.env; ((1/0, v=1))',
  "v=.env; let '1/0' v=1",
  "v=.env; let '0&&(v=1)'",
  'v=.env; for ((;0;v=1)); do :; done',
  'v=.env; v=$((1/0))\n',
  'v=.env; : $((1/0)); v=a\n',
  'v=.env; if true; then : $((1/0)); v=a; fi\n',
  'v=.env; : ${v:0:-9}; v=a\n',
  'v=.env; x="a b"; : ${!x}; v=a\n',
  'v=.env; if true; then exit $((1/0)); v=a; fi\n',
  'v=.env; declare -r v; v=a || :\n',
  'v=.env; readonly v; for v in a; do :; done',
  'readonly v=.env; export v=a',
  "eval 'v=.env; readonly v'; v=a\n",
  'v=.env; UID=1; v=a\n',
  'v=.env; UID=1 : || v=a\n',
  'v=.env; { v=a; } > /nonexistent/x',
  'v=.env; if v=a; then :; fi > /nonexistent/x',
  'v=.env; for x in a; do v=a; break; done < /nonexistent/x',
  'v=.env; case a in a) v=a;; esac > /nonexistent/x',
  'v=.env; export v=a > /nonexistent/x',
  'v=.env; : {v}> /nonexistent/x',
  'v=.env; local v=a',
  'v=a; v=.env export v',
  'v=a; v=.env readonly v',
  'e=; v=a; v=.env $e',
  "v=a; for e in ''; do v=.env $e; done",
  'v=a; v=.env $UNSET',
  'v=.env w=x; : "${w:=$((v=1))}"',
  'v=.env; : "${NOPE+$((v=1))}"',
  'v=.env; a[-1]=x; v=a\n',
  'declare v=a "v=.env"',
  "printf 'a%n' v",
  'v=.env; v=a $UNSET',
  'v=; : ${v:=.env}',
  'v=b; while :; do v=.env; break; v=a; done',
  'v=b; for x in 1; do v=.env; continue; v=a; done',
  'v=b; for x in 1; do while :; do v=.env; break 2; v=a; done; v=a; done',
  'v=a; while v=.env; false; do v=b; done',
  'v=a; until v=.env; true; do v=b; done',
  'v=a; case x in x) v=.env ;& y) :; esac',
  'REPLY=a; select x in .env; do break; done; v=$REPLY',
]

/** Lines that read `.env` before they set what named it. */
const earlier = [
  'v=.env; x=$(cat $v) v=a',
  'v=.env; echo $(cat $v) $((v=1))',
  'v=.env; : $(( $(wc -c < $v) + (v=1) ))',
  'v=a; case x in x) v=.env ;& y) cat $v; esac',
  'v=a; case x in x) v=.env ;;& *) cat $v; esac',
  '_=a; : .env; cat $_',
]

describe('a new value takes the place of the old one only where bash surely assigns it', () => {
  test.each(kept)('%j', (line) => {
    expect(judge(`${line}${line.endsWith('\n') ? '' : '; '}cat $v`)).not.toBe('allow')
  })

  test.each(earlier)('%j', (line) => {
    expect(judge(line)).not.toBe('allow')
  })

  test.each([
    `x='a[$(date)]'; RANDOM=x`,
    `x='a[$(date)]'; OPTIND=$x`,
    `x='a[$(date)]'; declare SECONDS=x`,
    `x='a[$(date)]'; read HISTSIZE <<< x`,
    `x='a[$(date)]'; : {y[x]}< a.txt`,
  ])('%j works out a text as a number', (line) => {
    expect(judge(line)).not.toBe('allow')
  })
})

describe('what surely assigns', () => {
  test.each([
    'v=.env; v=a; cat $v',
    'v=.env; v=a\ncat $v',
    'v=.env; v=$((5 * 60)); cat $v',
    'for f in a b; do n=$((n + 1)); out=build/$f; cat $out; done',
    'n=$((m / 2))\nout=x\ncat $out',
    'for f in a b; do [ -f $f ] || continue; cat $f; done; f=c; cat $f',
    'SECONDS=0; make; echo $SECONDS',
    'cd sub > /dev/null && cat a.txt',
    'i=0; while [ $i -lt 3 ]; do i=$((i + 1)); head -n $i a.txt; done',
    'f=a.txt; { cat $f; } > out.txt 2>&1; tail $f',
    'readonly F=a.txt; cat $F',
  ])('%j is allowed', (line) => {
    expect(judge(line)).toBe('allow')
  })
})
