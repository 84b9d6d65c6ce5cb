import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import {
  listTestimonials,
  visibleTestimonialCount,
  visibleTestimonials,
} from '#core/testimonials/list-testimonials.query.ts'
import { addTestimonial, removeTestimonial, updateTestimonial } from '#core/testimonials/save-testimonial.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { RemoveTestimonial } from '#web/app/components/testimonials/remove-testimonial.tsx'
import { TestimonialForm } from '#web/app/components/testimonials/testimonial-form.tsx'
import { Badge } from '#web/app/components/ui/badge.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { ConfirmPanel } from '#web/app/components/ui/confirm-panel.tsx'
import { EmptyState } from '#web/app/components/ui/empty-state.tsx'
import { GoneFormProblem } from '#web/app/components/ui/gone-form-problem.tsx'
import { conflictIfGone, readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { saveMerged } from '#web/app/http/merge-form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen, type StaffContext } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

type Edited = { id: number | null } | null

const titleOf = (edited: Edited) =>
  edited ? (edited.id === null ? 'Add testimonial' : 'Edit testimonial') : 'Testimonials'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ edited }) =>
    edited ? [{ label: 'Testimonials', to: '/testimonials' }, { label: titleOf(edited) }] : [{ label: titleOf(null) }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${titleOf(data?.edited ?? null)} – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'testimonials')
  const all = await listTestimonials(ctx, {})
  const shownIds = (await visibleTestimonials(ctx, {})).map(({ id }) => id)
  const params = new URL(request.url).searchParams
  const testimonialOf = (param: string) => all.find(({ id }) => String(id) === params.get(param))
  const edited = testimonialOf('edit')
  const next = Math.max(0, ...all.map(({ position }) => position)) + 1
  return {
    all: all.map((testimonial) => ({ ...testimonial, isShown: shownIds.includes(testimonial.id) })),
    visibleCount: visibleTestimonialCount,
    edited: params.has('new')
      ? { id: null, values: { position: String(next) } }
      : edited
        ? { id: edited.id, values: formValues(edited) }
        : null,
    // Without JavaScript the question is part of the page.
    toRemove: testimonialOf('remove') ?? null,
    isRefused: wasRefused(context),
  }
}

function formValues({ id: _, position, isExample, ...texts }: Awaited<ReturnType<typeof listTestimonials>>[number]) {
  return { ...texts, position: String(position), isExample: String(isExample) }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'testimonials')
  const values = await readForm(request)
  return submit(context, values, async () => {
    if (values.intent === 'remove')
      await conflictIfGone('This testimonial', 'Somebody removed it.', () => removeTestimonial(ctx, values))
    else if (values.id)
      await conflictIfGone('This testimonial', 'Somebody removed it. Save again to add it as a new one.', () =>
        saveTestimonial(ctx, values),
      )
    else await addTestimonial(ctx, values)
    const outcome = values.intent === 'remove' ? 'removed' : values.id ? 'updated' : 'added'
    return redirectWithToast(context, '/testimonials', { kind: 'success', text: `Testimonial ${outcome}` })
  })
}

/** Keeps what somebody else has changed in other fields. */
function saveTestimonial(ctx: StaffContext, values: Record<string, string>) {
  return saveMerged(values, {
    read: async () => (await listTestimonials(ctx, {})).find(({ id }) => String(id) === values.id),
    valuesOf: formValues,
    save: (merged, basedOn) => updateTestimonial(ctx, { ...merged, basedOn }),
  })
}

export default function TestimonialsPage() {
  const { all, visibleCount, edited, toRemove } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const [query] = useSearchParams()
  // If another user has removed the testimonial in the meantime, what was typed stays and can be saved as a new one.
  const isRefused = problem !== undefined && problem.values.intent !== 'remove'
  if (edited || isRefused)
    return (
      <>
        <PageHeader
          title={titleOf(edited ?? { id: null })}
          note="Quotes from publishers, for the landing page of this installation."
        />
        <TestimonialForm
          key={query.get('edit')}
          id={edited?.id ?? null}
          values={edited?.values ?? {}}
          problem={problem}
        />
      </>
    )
  return (
    <>
      <PageHeader
        title={titleOf(null)}
        note={`The landing page shows the first ${visibleCount} by position. Examples are marked as such, and are never shown in production.`}
        actions={
          <LinkButton kind="primary" to="?new">
            Add testimonial
          </LinkButton>
        }
      />
      {problem && <GoneFormProblem problem={problem} failures={{ remove: 'Testimonial not removed' }} shown={{}} />}
      {toRemove && (
        <ConfirmPanel
          title={`Remove the testimonial by ${toRemove.personName}?`}
          confirmLabel="Remove testimonial"
          action="?"
          id={toRemove.id}
          intent="remove"
          cancelTo="?"
        >
          <p>This cannot be undone.</p>
        </ConfirmPanel>
      )}
      {all.length === 0 ? (
        <EmptyState title="No testimonials yet" action={<LinkButton to="?new">Add testimonial</LinkButton>}>
          The landing page does not show this section until there is a testimonial.
        </EmptyState>
      ) : (
        <ul className="space-y-3">
          {all.map((testimonial) => (
            <li key={testimonial.id} className="card flex flex-wrap items-start justify-between gap-3 p-4">
              <div className="min-w-0 max-w-2xl grow basis-72">
                <h2 className="flex flex-wrap items-center gap-2 text-h3 wrap-anywhere">
                  {testimonial.personName}
                  {testimonial.isExample && <Badge>Example</Badge>}
                  {testimonial.isShown ? <Badge tone="success">Shown</Badge> : <Badge>Not shown</Badge>}
                </h2>
                <p className="text-table text-muted">
                  {[testimonial.role, testimonial.company, `position ${testimonial.position}`]
                    .filter(Boolean)
                    .join(', ')}
                </p>
                <p className="mt-2 text-body wrap-anywhere">“{testimonial.quote}”</p>
              </div>
              <div className="flex flex-wrap gap-2">
                <LinkButton to={`?edit=${testimonial.id}`} aria-label={`Edit ${testimonial.personName}`}>
                  Edit
                </LinkButton>
                <RemoveTestimonial id={testimonial.id} personName={testimonial.personName} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
