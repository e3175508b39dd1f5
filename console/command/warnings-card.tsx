import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

/** What went another way than meant, although the command has ended with SUCCESS. */
export function WarningsCard({ record }: { readonly record: CommandStatusRecord }) {
  // a server of an earlier release has none
  const { warnings = [] } = record
  if (warnings.length === 0) return null
  return (
    <section class="warnings-card" aria-label="Warnings">
      <ul>
        {warnings.map(({ code, alias, message }) => (
          <li key={`${code} ${alias ?? ''}`}>
            {message} <code>{code}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
