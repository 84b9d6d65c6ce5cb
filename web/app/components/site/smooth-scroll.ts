/** How far below the top of the window a section stops: under the header. */
const headerHeight = 70
const glideMs = 1000

/** Scrolls smoothly to a section within a second, or immediately with reduced motion. A wheel, touch or key event stops it. */
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
    const progress = Math.min(1, (now - startedAt) / glideMs)
    window.scrollTo(0, from + (to - from) * eased(progress))
    if (progress < 1) requestAnimationFrame(step)
    else controller.abort()
  }
  requestAnimationFrame(step)
}

/** Ease in, ease out. */
function eased(progress: number): number {
  return progress < 0.5 ? 4 * progress ** 3 : 1 - (-2 * progress + 2) ** 3 / 2
}
