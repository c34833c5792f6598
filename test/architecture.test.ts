import { describe, expect, test } from 'vitest'
import { scatteredCharts } from './architecture/chart-literals.ts'
import { barrels, defaultExports, overlongFiles, overlongMedian } from './architecture/file-shape.ts'
import { givenUpTypes, openEnds, strayActors } from './architecture/given-up.ts'
import { importCycles } from './architecture/import-cycles.ts'
import { wrongEdges } from './architecture/import-edges.ts'
import { outsideReads, staleExceptions } from './architecture/outside-reads.ts'
import { doubledExports, emptyNames, oddFileNames, unnamedMachines } from './architecture/plain-names.ts'
import { crowdedFolders, folderCircles, upwardImports } from './architecture/rooms.ts'
import { outsideReaders, staleReaders, unreadMembers } from './architecture/unread-members.ts'
import { measuredComments, pointingComments, repeatingComments } from './architecture/prose.ts'
import { readModules } from './architecture/source-module.ts'

const modules = readModules(process.cwd())

type Check = (all: typeof modules) => readonly string[]

describe('the house stands as it is drawn', () => {
  test('there is something to look at', () => {
    expect(modules.length).toBeGreaterThan(10)
  })

  test.for([
    ['imports follow the layer table', wrongEdges],
    ['no file imports itself in a circle', importCycles],
    ['no folders import each other in a circle', folderCircles],
    ['rooms of the runtime import the floors below them', upwardImports],
    ['no folder is crowded', crowdedFolders],
    ['no file is longer than 300 lines', overlongFiles],
    ['the median file has at most 100 lines', overlongMedian],
    ['nothing but the package entries re-exports', barrels],
    ['no default exports', defaultExports],
    ['clock, random and environment are handed in', outsideReads],
    ['every exception is still needed', staleExceptions],
    ['only one place starts actors', strayActors],
    ['somebody reads every member of an interface', (all) => unreadMembers(all, outsideReaders)],
    ['every excuse for an unread member is still needed', (all) => staleReaders(all, outsideReaders)],
    ['no type is given up', givenUpTypes],
    ['nothing is left for later', openEnds],
    ['names say the job', emptyNames],
    ['no exported name stands twice', doubledExports],
    ['a comment begins with the noun that it is about', pointingComments],
    ['no comment repeats the name', repeatingComments],
    ['no comment gives a measured figure', measuredComments],
    ['file names are kebab-case', oddFileNames],
    ['machines are called machines', unnamedMachines],
    ['the chart of a machine is one literal', scatteredCharts],
  ] satisfies readonly (readonly [string, Check])[])('%s', ([, check]) => {
    expect(check(modules)).toEqual([])
  })
})
