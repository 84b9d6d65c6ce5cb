import { useEffect, useRef } from 'react'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'

interface RemovedNoticeProps {
  /** Who removed the reader, and when. */
  text: string
  canRestore: boolean
  isPending: boolean
}

/** Above the form of a reader who was removed while being edited: the input is still there and can be saved. */
export function RemovedNotice({ text, canRestore, isPending }: RemovedNoticeProps) {
  const notice = useRef<HTMLDivElement>(null)
  // Like an error summary, it takes the focus when it appears.
  useEffect(() => notice.current?.focus(), [])
  return (
    <div ref={notice} tabIndex={-1} className="scroll-mt-20 outline-offset-2 focus:outline-2 focus:outline-danger">
      <Banner tone="danger" title="Reader not updated" isAlert>
        <p>
          {text}{' '}
          {canRestore
            ? 'What you typed is still here: it can be saved once the reader is restored.'
            : 'What you typed is still here: copy what you need before you leave, or add the reader again.'}
        </p>
        {canRestore && (
          <Button type="submit" name="restore" value="1" isPending={isPending} className="mt-3">
            Restore and save
          </Button>
        )}
      </Banner>
    </div>
  )
}
