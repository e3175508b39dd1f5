import { now } from '../parts/now.ts'
import { limitsOf, quotasOf } from './quota-words.ts'
import type { AccountUsage } from '../../common/openapi/openapi-types.ts'

export function Quotas({ usage }: { readonly usage: AccountUsage }) {
  return (
    <section class="column" aria-label="Plan">
      <div class="quotas">
        {quotasOf(usage, now.value).map(({ title, words, note, limit, part, isTight }) => (
          <div key={title} class={isTight ? 'quota tight column box' : 'quota column box'}>
            <h2>{title}</h2>
            <p class="quota-figure number">{words}</p>
            {limit !== null && (
              <progress value={part} max={1} aria-label={title} aria-valuetext={words} />
            )}
            <p class="muted">{note}</p>
          </div>
        ))}
      </div>
      <dl class="limits row">
        {limitsOf(usage).map(([name, words]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="number">{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
