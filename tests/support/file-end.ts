const ends: (() => unknown)[] = []

/**
 * Keeps what has to be done when the tests of a file are over. Unlike Vitest's `afterAll` it may be said anywhere, in a `beforeAll` or a
 * test as well, where that one is not heard.
 */
export function atFileEnd(work: () => unknown): void {
  ends.push(work)
}

/** The latest first: what was opened on something is closed before it. */
export async function endFile(): Promise<void> {
  for (let work = ends.pop(); work; work = ends.pop()) await work()
}
