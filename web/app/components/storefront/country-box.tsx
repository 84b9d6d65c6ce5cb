import ChevronDown from 'lucide-react/icons/chevron-down'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { matchCountries } from '#core/kernel/country-search.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Input } from '../ui/inputs.tsx'
import { useIsomorphicLayoutEffect } from '../ui/use-isomorphic-layout-effect.ts'
import { type CountryChoice, sortedCountries } from './sorted-countries.ts'

interface CountryBoxProps {
  id: string
  country: string
  countryName: string
  onChoose: (country: string) => void
}

/**
 * A country combobox (ARIA pattern with a listbox). Enter selects, Esc restores the selection. The list is rendered only when it is opened,
 * because 250 names would be a third of the page.
 */
export function CountryBox({ id, country, countryName, onChoose, ...ariaProps }: CountryBoxProps) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  /** Null until something is typed; until then all countries are listed, scrolled to the selected one. */
  const [typed, setTyped] = useState<string | null>(null)
  const [activeIndex, setActiveIndex] = useState(0)
  /** The selected country, shown while its prices load. */
  const [picked, setPicked] = useState<CountryChoice | null>(null)
  const listId = useId()
  const optionId = (code: string) => `${listId}-${code}`
  const shownName = picked && picked.code !== country ? picked.name : countryName
  const all = isOpen ? sortedCountries(t.language) : []
  const matches = typed === null ? all : matchCountries(all, typed)
  const active = matches[activeIndex]
  const isTyping = typed !== null

  // biome-ignore lint/correctness/useExhaustiveDependencies: the list may change while the index stays the same
  useEffect(() => {
    if (active) document.getElementById(optionId(active.code))?.scrollIntoView({ block: 'nearest' })
  }, [active?.code, isOpen])

  // While nothing is typed the whole text is selected, so that typing replaces it, also when it has just changed.
  useIsomorphicLayoutEffect(() => {
    const input = document.activeElement
    if (!isTyping && input?.id === id) (input as HTMLInputElement).select()
  }, [isTyping, isOpen, shownName])

  const open = (text: string | null) => {
    setOpen(true)
    setTyped(text)
    setActiveIndex(
      text === null
        ? Math.max(
            0,
            sortedCountries(t.language).findIndex(({ code }) => code === country),
          )
        : 0,
    )
  }
  const close = () => {
    setOpen(false)
    setTyped(null)
  }
  const choose = (choice: CountryChoice | undefined) => {
    close()
    if (!choice || choice.code === country) return
    setPicked(choice)
    onChoose(choice.code)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) open(null)
      else if (matches.length > 0)
        setActiveIndex((activeIndex + (key === 'ArrowDown' ? 1 : matches.length - 1)) % matches.length)
    } else if (key === 'Enter') {
      // Enter never submits the form: with JavaScript the choice takes effect at once.
      event.preventDefault()
      if (isOpen && active) choose(active)
    } else if (key === 'Escape' && isOpen) {
      event.preventDefault()
      close()
    }
  }

  return (
    <div className="relative">
      <Input
        {...ariaProps}
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active ? optionId(active.code) : undefined}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? shownName}
        onFocus={(event) => event.target.select()}
        onClick={() => !isOpen && open(null)}
        onChange={(event) => open(event.target.value)}
        onKeyDown={onKeyDown}
        // Incomplete text is accepted only if it matches exactly one country.
        onBlur={() => (typed !== null && matches.length === 1 ? choose(matches[0]) : close())}
        className="h-12! pr-11"
      />
      <ChevronDown size={20} aria-hidden="true" className="pointer-events-none absolute top-3.5 right-3 text-ink-2" />
      {isOpen && (
        <div className="absolute inset-x-0 top-full z-30 mt-1 max-h-80 overflow-y-auto overscroll-contain card py-1 shadow-float">
          <div id={listId} role="listbox" tabIndex={-1} aria-label={t('Countries')}>
            {matches.map((choice, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys
              <div
                key={choice.code}
                id={optionId(choice.code)}
                role="option"
                tabIndex={-1}
                aria-selected={index === activeIndex}
                // Keeps the focus in the input, which would otherwise lose it before the click.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(choice)}
                className={`flex min-h-11 cursor-pointer items-center px-3 hover:bg-subtle ${index === activeIndex ? 'bg-subtle outline-2 -outline-offset-2 outline-ink' : ''} ${choice.code === country ? 'font-semibold' : ''}`}
              >
                {choice.name}
              </div>
            ))}
          </div>
          {matches.length === 0 && <p className="px-3 py-2.5 text-ink-2">{t('No country found')}</p>}
        </div>
      )}
      <p role="status" className="sr-only">
        {typed !== null &&
          (matches.length === 0
            ? t('No country found')
            : t.count(matches.length, '{count} country', '{count} countries'))}
      </p>
    </div>
  )
}
