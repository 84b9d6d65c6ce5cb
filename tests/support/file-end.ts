const ends: (() => unknown)[] = []

/**
 * Registers clean-up for the end of a test file. Unlike Vitest's `afterAll` it can be called anywhere, in a `beforeAll` or a
 * test as well, where `afterAll` has no effect.
 */
export function atFileEnd(work: () => unknown): void {
  ends.push(work)
}

/** Runs the clean-ups, the latest first: dependants are closed before their dependencies. */
export async function endFile(): Promise<void> {
  for (let work = ends.pop(); work; work = ends.pop()) await work()
}
