import { loadavg } from 'node:os'

/** A line of a benchmark's report. */
export const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Milliseconds with significant digits only. */
export const shown = (ms: number) => (ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en-GB'))

/** The load averages of this machine. */
export const loadAverages = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(', ')
