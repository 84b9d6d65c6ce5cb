import type { Page } from '#core/kernel/paging.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { LinkButton } from '../ui/button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Section } from '../ui/facts.tsx'
import { Pagination } from '../ui/pagination.tsx'

export interface KitRow {
  id: number
  name: string
  copies: number
}

const columns: Column<KitRow>[] = [
  { header: 'Name', sort: 'name', onCard: 'title', isSticky: true, cell: ({ name }) => name },
  { header: 'Copies', sort: 'copies', isNumber: true, cell: ({ copies }) => formatCount(copies) },
]

const commonProps = { columns, rowKey: ({ id }: KitRow) => id }

/** A list in its four states: loaded, reloading, loading, and empty. */
export function KitLists({ page, sort }: { page: Page<KitRow>; sort: string }) {
  return (
    <>
      <Section title="A list">
        <DataTable
          {...commonProps}
          label="Rows"
          rows={page.rows}
          sort={sort}
          empty={<EmptyState title="This page is past the last one" />}
        />
        <Pagination {...page} noun="row" />
      </Section>
      <Section title="A list that is reloading">
        <DataTable
          {...commonProps}
          label="Rows that are reloading"
          rows={page.rows.slice(0, 2)}
          sort={sort}
          isLoading
          empty={null}
        />
      </Section>
      <Section title="A list that is loading">
        <DataTable {...commonProps} label="Rows that are loading" rows={[]} sort={sort} isLoading empty={null} />
      </Section>
      <Section title="An empty list">
        <DataTable
          {...commonProps}
          label="No rows"
          rows={[]}
          sort={sort}
          empty={
            <EmptyState title="Nothing here yet" action={<LinkButton to="?">Show everything</LinkButton>}>
              What is missing, and what to do about it.
            </EmptyState>
          }
        />
      </Section>
    </>
  )
}
