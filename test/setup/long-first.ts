import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Small files that start process after process: by their size they would come last, and the other core wait for them. */
const long = /\/test\/(chaos|accept|docs|ui\/cli\/process)\//

/** Begins with what takes longest, on a machine that has not seen these tests before too. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, not an array's
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification): boolean => long.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
