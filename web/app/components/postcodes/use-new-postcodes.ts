import { useNavigate } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { toast } from 'sonner'
import type { PostcodeFileView } from '#core/postcode-files/postcode-file-row.ts'

/** How long the result stands before one is led on, in milliseconds. */
const pause = 1000

interface Seen {
  publicationId: number
  id: number
  isBusy: boolean
}

/**
 * Says that a file was taken (a script's upload goes by no form), and leads on to Manage Data when it ended well before one's eyes; rows that
 * were not taken are shown first. A small file may have ended before the page first looks: then it is new and over at once.
 */
export function useNewPostcodes(
  publicationId: number,
  latest: PostcodeFileView | null,
  isBusy: boolean,
  taken: string,
): void {
  const navigate = useNavigate()
  const [movesOn, setMovesOn] = useState(false)
  const seen = useRef<Seen>({ publicationId, id: latest?.id ?? 0, isBusy })
  const isGood = latest?.state === 'done' && latest.failed === 0
  const id = latest?.id ?? 0
  useEffect(() => {
    const before = seen.current
    seen.current = { publicationId, id, isBusy }
    if (before.publicationId !== publicationId) return setMovesOn(false)
    const isNew = id > before.id
    if (isNew) toast.success(taken, { id: taken })
    if (isNew || before.isBusy !== isBusy) setMovesOn(!isBusy && isGood)
  }, [id, isBusy, isGood, publicationId, taken])
  useEffect(() => {
    if (!movesOn) return
    const timer = setTimeout(() => navigate(`/managedata?publication=${publicationId}`), pause)
    return () => clearTimeout(timer)
  }, [movesOn, navigate, publicationId])
}
