import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPrompt } from '../src/runtime/prompt/open-prompt.ts'
import { contextSections } from '../src/runtime/prompt/context-sections.ts'
import { volatileSection } from '../src/rules/prompt/section.ts'
import { skillListing } from '../src/rules/skills/skill-listing.ts'
import { findSkills } from '../src/runtime/skills/find-skills.ts'
import { readySkills } from '../src/runtime/skills/found-skills.ts'
import { median } from './figures.ts'

/*
 * `node bench/prompt.ts`: milliseconds to make the prompt of a member with 200 skills and 50 instruction files anew, when
 * all files were read once. Median of 31.
 */
const root = mkdtempSync(join(tmpdir(), 'troupe-bench-'))
mkdirSync(join(root, '.git'))
mkdirSync(join(root, '.claude/rules'), { recursive: true })
for (let n = 0; n < 50; n += 1)
  writeFileSync(join(root, `.claude/rules/rule-${n}.md`), `Rule ${n}. ${'Words. '.repeat(200)}`)
for (let n = 0; n < 200; n += 1) {
  mkdirSync(join(root, `.agents/skills/skill-${n}`), { recursive: true })
  const description = `Serves the kind of work that has the number ${n}. ${'More of it. '.repeat(20)}`
  writeFileSync(
    join(root, `.agents/skills/skill-${n}/SKILL.md`),
    `---\nname: skill-${n}\ndescription: ${description}\n---\nDo.\n`,
  )
}
const place = { cwd: root, home: '/nonexistent' }
const skills = () => [volatileSection('skills', 'people change them', skillListing(readySkills(findSkills(place))))]
const make = (): number =>
  openPrompt({
    cached: [],
    volatile: () => contextSections({ ...place, folders: [root], now: 0, servers: '', memory: '', skills: skills() }),
    note: () => undefined,
  }).print().sections.length

const [cold, ...warm] = Array.from({ length: 32 }, () => {
  const began = performance.now()
  make()
  return performance.now() - began
})
console.log(`cold ${cold?.toFixed(1)} ms, warm ${median(warm).toFixed(1)} ms`)
rmSync(root, { recursive: true, force: true })
