import type { RefObject } from 'react'
import { useT } from '../../../i18n/use-t.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'

interface ElementContainerProps {
  container: RefObject<HTMLDivElement>
  state: 'loading' | 'ready' | 'failed'
  onRetry: () => void
}

/** The container of the provider's fields; reserves their height while they load. */
export function ElementContainer({ container, state, onRetry }: ElementContainerProps) {
  const t = useT()
  return (
    <>
      {state === 'failed' && (
        <Banner
          tone="danger"
          isAlert
          action={
            <Button size="small" onClick={onRetry}>
              {t('Try again')}
            </Button>
          }
        >
          {t('The payment provider cannot be reached. No money was taken.')}
        </Banner>
      )}
      <div className={state === 'failed' ? 'hidden' : 'min-h-40'}>
        {state === 'loading' && (
          <p role="status" className="text-body text-ink-2">
            {t('Loading the secure fields…')}
          </p>
        )}
        <div ref={container} />
      </div>
    </>
  )
}
