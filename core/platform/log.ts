import pino from 'pino'
import type { Log } from '#core/context.ts'
import { loggedError } from './logged-error.ts'

/** One JSON line per event, on stderr so that stdout contains only data. Fields that could carry a secret are cut out by name. */
export function makeLog(level: string): Log {
  return pino(
    {
      level,
      base: { pid: process.pid },
      redact: {
        paths: [
          'password',
          '*.password',
          'token',
          '*.token',
          'email',
          '*.email',
          'authorization',
          '*.authorization',
          'cookie',
          '*.cookie',
        ],
        censor: '[redacted]',
      },
      serializers: { error: loggedError, err: loggedError },
    },
    pino.destination({ dest: 2, sync: false }),
  )
}
