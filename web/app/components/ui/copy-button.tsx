import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'

const shownMs = 2_000

/** Puts a text on the clipboard and says so. It is there only where the browser can do that; the text itself can always be marked by hand. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [canCopy, setCanCopy] = useState(false)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => setCanCopy(navigator.clipboard !== undefined), [])
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  if (!canCopy) return null
  const Icon = isCopied ? Check : Copy
  return (
    <>
      <IconButton
        label={label}
        size="small"
        icon={<Icon size={16} aria-hidden="true" />}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      />
      <span role="status" className="sr-only">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  )
}
