import { Icon } from '../controls/icons.tsx'
import { WholeOptions } from '../controls/whole-options.tsx'
import { linesOf } from '../parts/message-lines.ts'
import { markIn } from './error-mark.ts'
import { apiUrl, href, route } from '../shell/navigation.ts'
import { firstAction, isFixable, remedyOf } from './remedies.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

/** Error, its place in the command, whose fault it is, and the remedy. */
export function ErrorCard({ record }: { readonly record: CommandStatusRecord }) {
  const { error_status: kind, error_message: message } = record
  if (record.status !== 'FAILED' || kind === null || kind === 'CANCELLED') return null
  const words = remedyOf(kind)
  const [first = '', ...rest] = linesOf(message)
  return (
    <section class="error-card column box" aria-label="Error">
      <header>
        <Icon name="failed" />
        <h2>{first || words?.sentence}</h2>
      </header>
      {rest.length > 0 && <pre class="mono error-text">{rest.join('\n')}</pre>}
      <MarkedCommand record={record} message={message ?? ''} />
      {words !== null && (
        <p>
          {words.remedy}{' '}
          <span class="muted">
            The fault is in {words.whose}; {words.again}.
          </span>{' '}
          <a href={new URL(`docs/guides/errors#${kind.toLowerCase()}`, apiUrl).href}>
            <code>{kind}</code>
          </a>
        </p>
      )}
      {route.value.id !== null && isFixable(record) && (
        <div class="actions">
          <a
            class={firstAction(record) === 'fix' ? 'button primary' : 'button'}
            data-shortcut="e"
            href={href({
              page: 'playground',
              query: new URLSearchParams({ from: record.command_id }),
            })}
          >
            Fix in the playground
          </a>
        </div>
      )}
    </section>
  )
}

/** Warnings of a command that has ended with SUCCESS. */
export function WarningsCard({ record }: { readonly record: CommandStatusRecord }) {
  const { warnings } = record
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

/** Whether the error names a place, so that the command is shown with it. */
export function hasMark(record: CommandStatusRecord): boolean {
  const command = record.status === 'FAILED' ? failedCommand(record) : null
  return command !== null && markIn(command, record.error_message ?? '') !== null
}

function MarkedCommand({
  record,
  message,
}: {
  readonly record: CommandStatusRecord
  readonly message: string
}) {
  const command = failedCommand(record)
  const mark = command === null ? null : markIn(command, message)
  if (command === null || mark === null) return null
  const characters = Array.from(command)
  const part = (from: number, to?: number) => characters.slice(from, to).join('')
  return (
    <pre class="mono marked">
      <WholeOptions text={part(0, mark.from)} />
      <mark>{part(mark.from, mark.to)}</mark>
      <WholeOptions text={part(mark.to)} />
    </pre>
  )
}

/** Text of the command, or of the first failed step of a chain. */
function failedCommand({ original_request: request, steps }: CommandStatusRecord): string | null {
  if (request === null) return null
  if (!('ffmpeg_commands' in request)) return request.ffmpeg_command
  const step = steps.find(({ status }) => status === 'FAILED')
  return request.ffmpeg_commands[step?.index ?? 0] ?? null
}
