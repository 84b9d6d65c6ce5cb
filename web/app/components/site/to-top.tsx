import ArrowUp from 'lucide-react/icons/arrow-up'
import { useEffect, useState } from 'react'
import { IconButton } from '../ui/button.tsx'
import { smoothScrollTo } from './smooth-scroll.ts'

/** Back to the top of a long page, shown after a screen's height of scrolling. */
export function ToTop() {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const onScroll = () => setShown(window.scrollY > window.innerHeight)
    onScroll()
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [])
  if (!isShown) return null
  return (
    <div className="no-print fixed right-4 bottom-4 z-10 animate-fade rounded-input shadow-float md:right-6 md:bottom-6">
      <IconButton
        label="Back to the top"
        kind="secondary"
        size="large"
        icon={<ArrowUp size={20} aria-hidden="true" />}
        onClick={() => {
          smoothScrollTo(null)
          document.getElementById('main')?.focus({ preventScroll: true })
        }}
      />
    </div>
  )
}
