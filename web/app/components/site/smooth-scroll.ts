/** How far below the top of the window a section stops: under the header. */
const headerHeight = 70
const glideMs = 1000

/** Scrolls smoothly to a section within a second, or immediately with reduced motion. The visitor's wheel, touch or key ends it. */
export function smoothScrollTo(target: HTMLElement | null): void {
  const to = target ? Math.max(0, target.getBoundingClientRect().top + window.scrollY - headerHeight) : 0
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) {
    window.scrollTo(0, to)
    return
  }
  const from = window.scrollY
  const startedAt = performance.now()
  const controller = new AbortController()
  for (const name of ['wheel', 'touchstart', 'keydown'] as const)
    window.addEventListener(name, () => controller.abort(), { passive: true, signal: controller.signal })
  const step = (now: number) => {
    if (controller.signal.aborted) return
    const part = Math.min(1, (now - startedAt) / glideMs)
    window.scrollTo(0, from + (to - from) * eased(part))
    if (part < 1) requestAnimationFrame(step)
    else controller.abort()
  }
  requestAnimationFrame(step)
}

/** Ease in, ease out. */
function eased(part: number): number {
  return part < 0.5 ? 4 * part ** 3 : 1 - (-2 * part + 2) ** 3 / 2
}
