import { exactTime } from '../../parts/clock-time.ts'
import { momentsOf, sizesOf } from './facts.ts'
import type { CommandStatusRecord } from '../../../common/openapi/openapi-types.ts'

/** Times with their zone, and the size of the command. */
export function CommandFacts({ record }: { readonly record: CommandStatusRecord }) {
  return (
    <dl class="command-facts row" aria-label="Times and size">
      {momentsOf(record).map(({ name, at }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <time dateTime={at}>{exactTime(new Date(at))}</time>
          </dd>
        </div>
      ))}
      {sizesOf(record).map(([name, words]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number">{words}</dd>
        </div>
      ))}
    </dl>
  )
}
