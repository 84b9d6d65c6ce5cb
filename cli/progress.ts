import { progressText } from '#core/kernel/progress-text.ts'
import { cutText, formatCount } from '#core/kernel/text-format.ts'
import type { CliOutput } from './cli-output.ts'
import { isTerminal } from './io.ts'

/** The progress of one long piece of work. */
export interface Progress {
  /** `total` is 0 where it is not known. */
  update(done: number, total: number, note?: string): void
  /** Clears the line. */
  end(): void
}

const redrawMs = 100

/**
 * On a terminal one line that is redrawn: done and total, time left, rate. Elsewhere a line for every tenth of the work.
 * Drawn with carriage returns and spaces only, so that it is the same without colours.
 */
export function makeProgress(
  cliOutput: CliOutput,
  title: string,
  unit: string,
  now: () => number = () => performance.now(),
): Progress {
  if (cliOutput.flags.quiet) return { update: () => {}, end: () => {} }
  const isLive = isTerminal(cliOutput.io.stderr) && cliOutput.io.env.TERM !== 'dumb'
  return isLive ? liveLine(cliOutput, title, unit, now) : tenths(cliOutput, title, unit)
}

function liveLine(cliOutput: CliOutput, title: string, unit: string, now: () => number): Progress {
  const { stderr } = cliOutput.io
  let drawnAt = Number.NEGATIVE_INFINITY
  let drawnWidth = 0
  let first: { done: number; at: number } | undefined
  const draw = (text: string) => {
    const room = (stderr.columns ?? 80) - 1
    const truncated = cutText(text, room)
    stderr.write(`\r${truncated.padEnd(drawnWidth)}`)
    drawnWidth = truncated.length
  }
  draw(`${title} ...`)
  return {
    update(done, total, note) {
      const at = now()
      first ??= { done, at }
      if (at - drawnAt < redrawMs) return
      drawnAt = at
      const seconds = (at - first.at) / 1000
      const rate = seconds > 0 ? (done - first.done) / seconds : 0
      const left = rate > 0 ? (total - done) / rate : null
      const parts = [progressText({ done, total, unit, secondsLeft: left })]
      if (rate > 0) parts.push(`${formatCount(Math.round(rate))} a second`)
      if (note) parts.push(note)
      draw(`${title}: ${parts.join(', ')}`)
    },
    end() {
      stderr.write(`\r${' '.repeat(drawnWidth)}\r`)
      drawnWidth = 0
    },
  }
}

function tenths(cliOutput: CliOutput, title: string, unit: string): Progress {
  let lastTenth = 0
  return {
    update(done, total, note) {
      if (total <= 0) return
      const tenth = Math.floor(share(done, total) / 10)
      if (tenth <= lastTenth) return
      lastTenth = tenth
      cliOutput.say(
        `${title}: ${tenth * 10}% (${formatCount(done)} of ${formatCount(total)} ${unit}${note ? `, ${note}` : ''})`,
      )
    },
    end() {},
  }
}

function share(done: number, total: number): number {
  return Math.min(100, Math.floor((done / total) * 100))
}
