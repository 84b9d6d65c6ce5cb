import { generateSync } from 'otplib'
import type { TestServer } from './web-server.ts'

export interface StoppedClock {
  /** The code that this secret's app shows now. */
  codeOf(typed: string): string
  release(): void
}

/** Stops a server's clock while its codes are tried, so that no code expires between being read and being sent. */
export function stopClock({ services }: Pick<TestServer, 'services'>): StoppedClock {
  const { now } = services
  let time = now()
  services.now = () => time
  return {
    // Codes can be used once: each is from a later half minute than the one before.
    codeOf(typed) {
      time = new Date(time.getTime() + 30_000)
      return generateSync({ secret: typed.replaceAll(/\s/g, ''), epoch: Math.floor(time.getTime() / 1000) })
    },
    release: () => {
      services.now = now
    },
  }
}
