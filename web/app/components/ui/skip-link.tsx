import { useT } from '../../i18n/use-t.tsx'

/** The skip link: the first stop of the Tab key, past the menu to the content. */
export function SkipLink({ to = 'main' }: { to?: string }) {
  const t = useT()
  return (
    <a
      href={`#${to}`}
      className="sr-only rounded-input bg-surface text-body font-medium text-primary shadow-float focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:px-4 focus:py-2"
    >
      {t('Skip to the content')}
    </a>
  )
}
