import { useNavigate } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { toast } from 'sonner'
import type { PostcodeFileView } from '#core/postcode-files/postcode-file-row.ts'

/** How long the result is shown before the redirect, in milliseconds. */
const pauseMs = 1000

interface PreviousState {
  publicationId: number
  id: number
  isBusy: boolean
}

/**
 * Shows a toast when a new file is imported (an upload by script submits no form), and goes to Manage Data when an import succeeds while this page
 * is open. If rows were rejected, the page stays and lists them. A small file may be done before the page first polls: then it is both new and
 * finished.
 */
export function useNewPostcodes(
  publicationId: number,
  latest: PostcodeFileView | null,
  isBusy: boolean,
  message: string,
): void {
  const navigate = useNavigate()
  const [isLeaving, setLeaving] = useState(false)
  const previous = useRef<PreviousState>({ publicationId, id: latest?.id ?? 0, isBusy })
  const hasSucceeded = latest?.state === 'done' && latest.failed === 0
  const id = latest?.id ?? 0
  useEffect(() => {
    const last = previous.current
    previous.current = { publicationId, id, isBusy }
    if (last.publicationId !== publicationId) return setLeaving(false)
    const isNew = id > last.id
    if (isNew) toast.success(message, { id: message })
    if (isNew || last.isBusy !== isBusy) setLeaving(!isBusy && hasSucceeded)
  }, [id, isBusy, hasSucceeded, publicationId, message])
  useEffect(() => {
    if (!isLeaving) return
    const timer = setTimeout(() => navigate(`/managedata?publication=${publicationId}`), pauseMs)
    return () => clearTimeout(timer)
  }, [isLeaving, navigate, publicationId])
}
