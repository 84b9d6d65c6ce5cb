import { formatCount } from '#core/kernel/words.ts'
import { isTerminal } from './io.ts'
import type { Talk } from './talk.ts'

/** The progress of one long piece of work. */
export interface Progress {
  /** `total` is 0 where it is not known. */
  update(done: number, total: number, note?: string): void
  /** Takes the line away again. */
  end(): void
}

const redrawMs = 100

/**
 * On a terminal one line that is drawn over: done and total, share, rate, time left. Elsewhere a line for every tenth of the
 * way. Drawn with carriage returns and blanks alone, so that it is the same without colours.
 */
export function makeProgress(
  talk: Talk,
  title: string,
  unit: string,
  now: () => number = () => performance.now(),
): Progress {
  if (talk.flags.quiet) return { update: () => {}, end: () => {} }
  const isLive = isTerminal(talk.io.stderr) && talk.io.env.TERM !== 'dumb'
  return isLive ? liveLine(talk, title, unit, now) : tenths(talk, title, unit)
}

function liveLine(talk: Talk, title: string, unit: string, now: () => number): Progress {
  const { stderr } = talk.io
  let drawnAt = Number.NEGATIVE_INFINITY
  let drawnWidth = 0
  let first: { done: number; at: number } | undefined
  const draw = (text: string) => {
    const room = (stderr.columns ?? 80) - 1
    const cut = text.slice(0, room)
    stderr.write(`\r${cut.padEnd(drawnWidth)}`)
    drawnWidth = cut.length
  }
  draw(`${title} ...`)
  return {
    update(done, total, note) {
      const at = now()
      first ??= { done, at }
      if (at - drawnAt < redrawMs) return
      drawnAt = at
      const seconds = (at - first.at) / 1000
      const rate = seconds > 0.2 ? (done - first.done) / seconds : 0
      const parts = [
        total > 0 ? `${formatCount(done)} / ${formatCount(total)} ${unit}` : `${formatCount(done)} ${unit}`,
      ]
      if (total > 0) parts.push(`${share(done, total)} %`)
      if (rate > 0) parts.push(`${formatCount(Math.round(rate))}/s`)
      if (rate > 0 && total > done) parts.push(`${timeLeft((total - done) / rate)} left`)
      if (note) parts.push(note)
      draw(`${title}  ${parts.join('  ')}`)
    },
    end() {
      stderr.write(`\r${' '.repeat(drawnWidth)}\r`)
      drawnWidth = 0
    },
  }
}

function tenths(talk: Talk, title: string, unit: string): Progress {
  let said = 0
  return {
    update(done, total, note) {
      if (total <= 0) return
      const tenth = Math.floor(share(done, total) / 10)
      if (tenth <= said) return
      said = tenth
      talk.say(
        `${title}: ${tenth * 10} % (${formatCount(done)} of ${formatCount(total)} ${unit}${note ? `, ${note}` : ''})`,
      )
    },
    end() {},
  }
}

function share(done: number, total: number): number {
  return Math.min(100, Math.floor((done / total) * 100))
}

function timeLeft(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
