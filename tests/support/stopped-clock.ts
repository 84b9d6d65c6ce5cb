import { generateSync } from 'otplib'
import type { TestServer } from './web-server.ts'

export interface StoppedClock {
  /** The code that this secret's app shows now. */
  codeOf(typed: string): string
  release(): void
}

/** A server's clock is stopped while its codes are tried: no code expires between being read and being sent. */
export function stopClock({ services }: Pick<TestServer, 'services'>): StoppedClock {
  const { now } = services
  let held = now()
  services.now = () => held
  return {
    // Codes can be used once: each is from a later half minute than the one before.
    codeOf(typed) {
      held = new Date(held.getTime() + 30_000)
      return generateSync({ secret: typed.replaceAll(/\s/g, ''), epoch: Math.floor(held.getTime() / 1000) })
    },
    release: () => {
      services.now = now
    },
  }
}
