import type { JobName, JobPayload } from './catalog.ts'

export const jobStates = ['waiting', 'active', 'done', 'failed'] as const
export type JobState = (typeof jobStates)[number]

export interface EnqueueOptions {
  /** A second job with the same key is not added, so that its work is not done twice. */
  dedupeKey?: string
  runAt?: Date
  publisherId?: number
  /** A user is waiting for it at a screen: it runs before others of its kind. Only emails have a lane for it. */
  isUrgent?: boolean
}

/** Work to do later. The job is a row written in the transaction of the change that caused it: both happen or neither. */
export interface JobQueue {
  enqueue<Name extends JobName>(name: Name, payload: JobPayload<Name>, options?: EnqueueOptions): Promise<void>
  /** Many of one kind in one statement; those whose key exists are skipped. */
  enqueueMany<Name extends JobName>(
    name: Name,
    entries: readonly { payload: JobPayload<Name>; dedupeKey: string; publisherId: number }[],
  ): Promise<void>
}
