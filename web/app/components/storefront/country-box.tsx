import ChevronDown from 'lucide-react/icons/chevron-down'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { matchCountries } from '#core/kernel/country-search.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Input } from '../ui/inputs.tsx'
import { type CountryChoice, sortedCountries } from './sorted-countries.ts'

interface CountryBoxProps {
  id: string
  country: string
  countryName: string
  onChoose: (country: string) => void
}

/**
 * A box to type a country in (the combobox of the ARIA patterns, with a list). Enter picks, Esc puts back what was chosen. The list is
 * made in the browser when it is opened: two hundred and fifty names would be a third of the page.
 */
export function CountryBox({ id, country, countryName, onChoose, ...described }: CountryBoxProps) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  /** Null until something is typed: then all countries are shown, from the chosen one on. */
  const [typed, setTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  /** Shown while its prices are on the way. */
  const [picked, setPicked] = useState<CountryChoice | null>(null)
  const listId = useId()
  const optionId = (code: string) => `${listId}-${code}`
  const shown = picked && picked.code !== country ? picked.name : countryName
  const all = isOpen ? sortedCountries(t.language) : []
  const found = typed === null ? all : matchCountries(all, typed)
  const active = found[at]

  // biome-ignore lint/correctness/useExhaustiveDependencies: the list may be another one with the same place in it
  useEffect(() => {
    if (active) document.getElementById(optionId(active.code))?.scrollIntoView({ block: 'nearest' })
  }, [active?.code, isOpen])

  /** What is typed next takes the place of what stands in the box, as long as somebody is in it. */
  const selectText = () =>
    requestAnimationFrame(() => {
      const box = document.activeElement
      if (box?.id === id) (box as HTMLInputElement).select()
    })
  const open = (text: string | null) => {
    setOpen(true)
    setTyped(text)
    if (text === null) selectText()
    setAt(
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
    selectText()
    if (!choice || choice.code === country) return
    setPicked(choice)
    onChoose(choice.code)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) open(null)
      else if (found.length > 0) setAt((at + (key === 'ArrowDown' ? 1 : found.length - 1)) % found.length)
    } else if (key === 'Enter') {
      // Never the form's own: with a script nothing is left to send.
      event.preventDefault()
      if (isOpen && active) choose(active)
    } else if (key === 'Escape' && isOpen) {
      event.preventDefault()
      close()
      selectText()
    }
  }

  return (
    <div className="relative">
      <Input
        {...described}
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && active ? optionId(active.code) : undefined}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? shown}
        onFocus={(event) => event.target.select()}
        onClick={() => !isOpen && open(null)}
        onChange={(event) => open(event.target.value)}
        onKeyDown={onKeyDown}
        // What is left half typed is taken only when it can mean one country alone.
        onBlur={() => (typed !== null && found.length === 1 ? choose(found[0]) : close())}
        className="h-12! pr-11"
      />
      <ChevronDown size={20} aria-hidden="true" className="pointer-events-none absolute top-3.5 right-3 text-ink-2" />
      {isOpen && (
        <div className="absolute inset-x-0 top-full z-30 mt-1 max-h-80 overflow-y-auto overscroll-contain card py-1 shadow-float">
          <div id={listId} role="listbox" tabIndex={-1} aria-label={t('Countries')}>
            {found.map((choice, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the box's, which keeps the focus
              <div
                key={choice.code}
                id={optionId(choice.code)}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                // Before the box would lose the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(choice)}
                className={`flex min-h-11 cursor-pointer items-center px-3 hover:bg-subtle ${index === at ? 'bg-subtle outline-2 -outline-offset-2 outline-ink' : ''} ${choice.code === country ? 'font-semibold' : ''}`}
              >
                {choice.name}
              </div>
            ))}
          </div>
          {found.length === 0 && <p className="px-3 py-2.5 text-ink-2">{t('No country found')}</p>}
        </div>
      )}
      <p role="status" className="sr-only">
        {typed !== null &&
          (found.length === 0 ? t('No country found') : t.count(found.length, '{count} country', '{count} countries'))}
      </p>
    </div>
  )
}
