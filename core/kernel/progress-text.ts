import { formatCount } from './text-format.ts'

/** "12,400 of 20,000 rows, about 8 s left"; without a known total only the count done, without a rate no time left. */
export function progressText(at: { done: number; total: number; unit: string; secondsLeft: number | null }): string {
  const { done, total, unit, secondsLeft } = at
  if (total <= 0) return `${formatCount(done)} ${unit}`
  const rows = `${formatCount(Math.min(done, total))} of ${formatCount(total)} ${unit}`
  return secondsLeft === null || done >= total ? rows : `${rows}, about ${shortTime(secondsLeft)} left`
}

/** The progress of long work as a page gets it. */
export interface WorkProgress {
  phase: string | null
  done: number
  total: number
  /** Seconds since the phase started; null where that time says nothing about its rate. */
  seconds: number | null
}

/** The progress of long work at a moment (`at`, milliseconds). Each phase counts from 0, at its own rate. */
export interface ProgressSample {
  phase: string | null
  done: number
  total: number
  at: number
}

/** Seconds left in a phase, by the rate since its first sample; null while no rate is known. */
export function secondsLeft(first: ProgressSample, now: ProgressSample): number | null {
  const done = now.done - first.done
  const seconds = (now.at - first.at) / 1000
  if (now.phase !== first.phase || done <= 0 || seconds <= 0 || now.total <= now.done) return null
  return (seconds / done) * (now.total - now.done)
}

/** `secondsLeft` for work without an earlier sample, by its average rate since the start. */
export function secondsLeftSinceStart({ seconds, ...now }: WorkProgress): number | null {
  return seconds === null ? null : secondsLeft({ ...now, done: 0, at: 0 }, { ...now, at: seconds * 1000 })
}

function shortTime(seconds: number): string {
  const rounded = Math.max(1, Math.round(seconds))
  if (rounded < 60) return `${rounded} s`
  const minutes = Math.round(rounded / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
