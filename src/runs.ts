/**
 * Runs that another process leads, for programs that watch and steer them: a list, a live view, answers, mail, a stop,
 * costs. Each function takes a run directory or a working directory, and none of them needs the process of the leader.
 */
export {
  answerApproval,
  pendingApprovals,
  type AnswerOutcome,
  type PendingApproval,
  type PersonalAnswer,
} from './runtime/runs/answer-approval.ts'
export {
  findRun,
  recordOfRun,
  summariseRuns as listRuns,
  type MemberSummary,
  type RunRecord,
  type RunSummary,
} from './runtime/runs/read-runs.ts'
export { diffRuns, type RunDiff } from './runtime/reports/diff-runs.ts'
export { readCost, type RunCost } from './runtime/runs/read-cost.ts'
export { runEvents } from './runtime/runs/run-events.ts'
export type { EventFrame, RunEvent } from './protocol/facts/run-event.ts'
export { watchRun, type RunListener, type RunNow } from './runtime/runs/watch-run.ts'
export { replayRun, type LifeReport, type RunReplay } from './runtime/replay/replay-run.ts'
export { readTasks } from './runtime/tasks/read-tasks.ts'
export { sendMail, type PersonalMail } from './runtime/mail/send-mail.ts'
export { chooseForMember, NotChosen, type MemberChoice } from './runtime/run/choose-for-member.ts'
export { readChoices, type MemberChoices } from './runtime/settings/read-choices.ts'
export { restartMember, type RestartedMember } from './runtime/upkeep/restart-member.ts'
export { stopMember, type StopMemberOptions, type StoppedMember } from './runtime/upkeep/stop-member.ts'
export { stopRun, type StopRunOptions } from './runtime/upkeep/stop-run.ts'
export { explainCall, type PermissionPlace } from './runtime/permissions/permission-report.ts'
export { systemClock, type Clock } from './runtime/actors/clock.ts'
