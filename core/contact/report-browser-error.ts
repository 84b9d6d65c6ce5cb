import { z } from 'zod'
import { publicPath } from '../kernel/public-path.ts'
import { countAttempt, countFromNetwork } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'

const perNetwork = { hits: 20, windowSeconds: 15 * 60 }
/** Enough reports to notice a release that fails everywhere, without flooding the log. */
const overallLimit = { hits: 500, windowSeconds: 60 * 60 }

/** The innermost calls of a stack say where it happened. */
const maxFrames = 12

/**
 * Logs an error that occurred in a visitor's browser, under the reference that its page shows. The report is untrusted input: it is
 * bounded, and text that may identify a person is removed.
 */
export const reportBrowserError = useCase({
  permission: 'public',
  input: z.object({
    reference: z.string().regex(/^[0-9a-f]{4}(?:-[0-9a-f]{4}){2}$/),
    message: z.string().max(300),
    stack: z.string().max(3_000),
    path: z.string().max(300),
    build: z.string().regex(/^[\w-]{0,40}$/),
  }),
  // Refused attempts are counted too.
  transaction: 'none',
  async run(ctx, { reference, message, stack, path, build }): Promise<void> {
    await countFromNetwork(ctx, 'browser-fault', perNetwork)
    await countAttempt(ctx, 'browser-fault', overallLimit)
    const fault = {
      reference,
      message: withoutPersonalData(message),
      stack: framesOf(stack),
      path: pathOf(path),
      build,
    }
    ctx.log.error(fault, 'page failed in the browser')
  },
})

/** A message may quote what was typed or shown. Property names, in single quotation marks, are kept. */
function withoutPersonalData(message: string): string {
  return message
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\S+@\S+/g, '…')
    .replaceAll(/\?\S+/g, '')
}

/** The lines that name a position in a script, as Chromium, Firefox and Safari write them, without the site: `at Row (/assets/users-x1.js:1:20)`. */
function framesOf(stack: string): string[] {
  const frames = stack.split('\n').filter((line) => /\.js:\d+:\d+\)?$/.test(line.trim()))
  return frames.slice(0, maxFrames).map((line) => line.trim().replace(/https?:\/\/[^/\s]*/, ''))
}

function pathOf(path: string): string {
  return publicPath(path.replace(/[?#].*$/s, ''))
}
