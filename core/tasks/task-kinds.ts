import type { Permission } from '../access/permissions.ts'

export interface TaskKind {
  /** Its display name. */
  label: string
  /** The permission that the requester needs, also while it runs, and that is needed to see it. */
  permission: Permission
  /** On whose behalf it changes things: the user who requested it, with their permissions at the time it runs, or the system. */
  actor: 'requester' | 'system'
  /**
   * What happens if its process ends before the task. `resume`: another process continues from the checkpoint. `restart`: another one starts again.
   * `interrupt`: it waits until a person resumes it, and blocks no other task. `TaskRequest` may override this for work on a file of one machine.
   */
  onLost: 'resume' | 'restart' | 'interrupt'
  /**
   * `at-once`: what the running step has not committed is rolled back. `after-step`: it runs to its next checkpoint, and is then interrupted, so that
   * it can be resumed or cancelled; without a checkpoint, it is cancelled.
   */
  cancels: 'at-once' | 'after-step'
  /** After this many runs without a checkpoint in between, the task fails. */
  attempts: number
  /** The pause before the second run, in seconds; it doubles for each further run, up to an hour. */
  backoffSeconds: number
  /** The job that completes what an interrupted run has committed, since the task may never be resumed. */
  jobWhenInterrupted?: 'rekey-home-readers'
  /** What `doctor` recommends for an interrupted task. */
  recovery: string
}

/** The table of long-running work. Without a handler in worker/task-handlers.ts, a new row does not compile. */
export const taskKinds = {
  'check-upload': {
    label: 'check of an upload',
    permission: 'reader:import',
    actor: 'requester',
    onLost: 'restart',
    cancels: 'at-once',
    attempts: 5,
    backoffSeconds: 5,
    recovery: 'Upload the file again',
  },
  'import-readers': {
    label: 'import',
    permission: 'reader:import',
    actor: 'requester',
    onLost: 'resume',
    cancels: 'after-step',
    attempts: 8,
    backoffSeconds: 15,
    jobWhenInterrupted: 'rekey-home-readers',
    recovery: 'subscriptions imports list',
  },
  'undo-import': {
    label: 'undo of an import',
    permission: 'reader:import',
    actor: 'requester',
    onLost: 'resume',
    cancels: 'after-step',
    attempts: 8,
    backoffSeconds: 15,
    jobWhenInterrupted: 'rekey-home-readers',
    recovery: 'subscriptions imports undo <number>',
  },
  'find-likely': {
    label: 'search for likely duplicates',
    permission: 'reader:import',
    actor: 'requester',
    onLost: 'restart',
    cancels: 'at-once',
    attempts: 3,
    backoffSeconds: 60,
    recovery: 'Search again: Manage Data, Likely duplicates',
  },
  'fix-readers': {
    label: 'automatic fix',
    permission: 'reader:import',
    actor: 'requester',
    onLost: 'resume',
    cancels: 'at-once',
    attempts: 3,
    backoffSeconds: 60,
    recovery: 'Resume it: Manage Data, or subscriptions fix --resume <number>',
  },
  'undo-fix': {
    label: 'undo of an automatic fix',
    permission: 'reader:import',
    actor: 'requester',
    onLost: 'resume',
    cancels: 'at-once',
    attempts: 3,
    backoffSeconds: 60,
    recovery: 'Undo the rest: Manage Data, or subscriptions fix --undo <number>',
  },
  'remove-readers': {
    label: 'removal of readers',
    permission: 'reader:import',
    actor: 'requester',
    onLost: 'resume',
    cancels: 'at-once',
    attempts: 3,
    backoffSeconds: 60,
    recovery: 'Resume it, or restore the readers: Manage Data, or subscriptions readers remove --resume <number>',
  },
  'undo-removal': {
    label: 'undo of a removal of readers',
    permission: 'reader:import',
    actor: 'requester',
    onLost: 'resume',
    cancels: 'at-once',
    attempts: 3,
    backoffSeconds: 60,
    recovery: 'Restore the rest: Manage Data, or subscriptions readers restore --removal <number>',
  },
  'send-offer': {
    label: 'sending of an offer',
    permission: 'renewal:settings',
    actor: 'requester',
    onLost: 'resume',
    cancels: 'at-once',
    attempts: 5,
    backoffSeconds: 15,
    recovery: 'Send the rest: Renewals, Offers',
  },
  'import-postcodes': {
    label: 'import of postcodes',
    permission: 'reader:import',
    actor: 'requester',
    onLost: 'restart',
    cancels: 'at-once',
    attempts: 5,
    backoffSeconds: 15,
    recovery: 'subscriptions postcodes import',
  },
  'read-provider-report': {
    label: 'reading of a provider’s report',
    permission: 'ledger:reconcile',
    actor: 'requester',
    onLost: 'restart',
    cancels: 'at-once',
    attempts: 5,
    backoffSeconds: 15,
    recovery: 'subscriptions ledger reconcile',
  },
  'pull-readers': {
    label: 'transfer of reader files',
    permission: 'reader:import',
    actor: 'requester',
    onLost: 'restart',
    cancels: 'at-once',
    attempts: 6,
    backoffSeconds: 60,
    recovery: 'subscriptions transfers log',
  },
  'push-mailing-file': {
    label: 'transfer of a mailing file',
    permission: 'mailing-file:make',
    actor: 'requester',
    onLost: 'restart',
    cancels: 'at-once',
    attempts: 6,
    backoffSeconds: 60,
    recovery: 'subscriptions transfers log',
  },
  'merge-duplicates': {
    label: 'bulk merge',
    permission: 'reader:import',
    actor: 'requester',
    onLost: 'resume',
    cancels: 'at-once',
    attempts: 3,
    backoffSeconds: 60,
    recovery: 'Resume it, or undo what was merged: Manage Data, Likely duplicates, Merged',
  },
  'undo-merges': {
    label: 'undo of a bulk merge',
    permission: 'reader:import',
    actor: 'requester',
    onLost: 'resume',
    cancels: 'at-once',
    attempts: 3,
    backoffSeconds: 60,
    recovery: 'Undo the rest: Manage Data, Likely duplicates',
  },
} as const satisfies Record<string, TaskKind>

export type TaskKindName = keyof typeof taskKinds

export const taskKindOf = (name: TaskKindName): TaskKind => taskKinds[name]
