import { measuredComments, pointingComments, repeatingComments } from '../architecture/prose.ts'
import { readModules } from '../architecture/source-module.ts'

/** `node test/tools/prose.ts [folder]`: comments of the tree, or of one folder, that break the rules of prose. */
const folder = process.argv[2] ?? ''
const modules = readModules(process.cwd()).filter(({ file }) => file.startsWith(folder))
const complaints = [pointingComments, measuredComments, repeatingComments].flatMap((check) => check(modules))
for (const complaint of complaints) console.log(complaint)
console.error(`${complaints.length} comments in ${modules.length} files`)
