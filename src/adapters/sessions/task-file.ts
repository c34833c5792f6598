import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BoardTask } from '../../protocol/work/task.ts'
import { writeJson } from './write-json.ts'

/** Replaces `tasks/<n>.json` of a run; only the leader does. */
export function writeTask(dir: string, task: BoardTask): void {
  const folder = join(dir, 'tasks')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeJson(join(folder, `${task.task}.json`), task)
}
