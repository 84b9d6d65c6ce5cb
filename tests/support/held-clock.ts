import { generateSync } from 'otplib'
import type { TestServer } from './web-server.ts'

export interface HeldClock {
  /** The code that the app of this secret shows now. */
  codeOf(typed: string): string
  release(): void
}

/** A server's clock stands still while its codes are tried: no code runs out between being read and being sent. */
export function holdClock({ services }: Pick<TestServer, 'services'>): HeldClock {
  const { now } = services
  let held = now()
  services.now = () => held
  return {
    // Codes are good once: each is of a later half minute than the one before.
    codeOf(typed) {
      held = new Date(held.getTime() + 30_000)
      return generateSync({ secret: typed.replaceAll(/\s/g, ''), epoch: Math.floor(held.getTime() / 1000) })
    },
    release: () => {
      services.now = now
    },
  }
}
