import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Skeleton } from '../controls/skeleton.tsx'
import { Button } from '../controls/button.tsx'
import { useStore } from '../controls/page-hooks.ts'
import { WholeOptions } from '../controls/whole-options.tsx'
import { reasonOf } from '../parts/notices.ts'
import { hasEnded, shownState } from '../parts/state.ts'
import { showFaviconDot } from '../shell/favicon.ts'
import { href } from '../shell/navigation.ts'
import { nameCommand } from '../shell/page-title.ts'
import { CommandHead } from './command-head.tsx'
import { Deliveries } from './deliveries.tsx'
import { CommandFacts } from './facts/command-facts.tsx'
import { createCommand, isUnknown } from './command-store.ts'
import { ErrorCard, hasMark, WarningsCard } from './error-card.tsx'
import { OutputActions } from '../files/output-actions.tsx'
import { FileCard } from '../preview/file-card.tsx'
import { tabTitle } from './head-words.ts'
import { outputsOf } from './output-name.ts'
import { lineIn, quotedIn } from '../log/log-parts.ts'
import { createLog } from '../log/log-store.ts'
import { LogView } from '../log/log-view.tsx'
import { InputsView, RequestView } from './request-view.tsx'
import { TimelineView } from '../timeline/timeline.tsx'
import { createTimeline } from '../timeline/timeline-store.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Log } from '../log/log-store.ts'

interface Props {
  readonly client: Client
  readonly id: string
}

export function CommandPage({ client, id }: Props) {
  const command = useStore(() => createCommand(client, id), [client, id])
  const log = useStore(() => createLog(client, id), [client, id])
  const times = useStore(() => createTimeline(client, id, command.record), [client, id, command])
  const record = command.record.value
  useEffect(() => nameCommand(tabTitle(record)), [record])
  const tone = record === null ? null : shownState(record).tone
  useEffect(() => showFaviconDot(tone), [tone])
  if (record === null) return <Instead problem={command.problem.value} read={command.read} />
  return (
    <>
      <CommandHead client={client} record={record} read={command.read} />
      <CommandFacts record={record} />
      <ErrorCard record={record} />
      <WarningsCard record={record} />
      {!hasMark(record) && <CommandText record={record} />}
      <TimelineView record={record} known={times.timeline.value} />
      <Panes client={client} record={record} log={log} read={command.read} />
    </>
  )
}

function CommandText({ record }: { readonly record: CommandStatusRecord }) {
  const request = record.original_request
  if (request === null) return null
  const commands = 'ffmpeg_commands' in request ? request.ffmpeg_commands : [request.ffmpeg_command]
  return (
    <ol class={commands.length > 1 ? 'command-text steps' : 'command-text'}>
      {commands.map((text, index) => (
        <li key={index} class="mono">
          <WholeOptions text={text} />
        </li>
      ))}
    </ol>
  )
}

interface PanesProps {
  readonly client: Client
  readonly record: CommandStatusRecord
  readonly log: Log
  readonly read: () => Promise<void>
}

type Pane = 'outputs' | 'log' | 'inputs' | 'request' | 'webhooks'

/** Tabs; wide screens have the log at the side as well, and no tab for it. */
function Panes({ client, record, log, read }: PanesProps) {
  const isWide = useWide()
  const isQuoted = useMemo(() => quotedIn(record.error_message), [record.error_message])
  const outputs = outputsOf(record)
  // A link to a line shows the log at once.
  const chosen = useSignal<Pane | null>(lineIn(location.hash) === null ? null : 'log')
  const names: Pane[] = [
    ...(outputs.length > 0 ? (['outputs'] as const) : []),
    ...(isWide ? [] : (['log'] as const)),
    'request',
    'inputs',
    ...(hasEnded(record) ? (['webhooks'] as const) : []),
  ]
  const pane = chosen.value !== null && names.includes(chosen.value) ? chosen.value : names[0]
  const words: Record<Pane, string> = {
    log: 'Log',
    inputs: 'Inputs',
    request: 'Request',
    webhooks: 'Webhooks',
    outputs: outputs.length === 1 ? '1 output' : `${outputs.length} outputs`,
  }
  return (
    <div class="panes">
      <div class="pane column">
        <div class="chips tabs" role="group" aria-label="Parts">
          {names.map((name) => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={name === pane}
              onClick={() => (chosen.value = name)}
            >
              {words[name]}
            </button>
          ))}
        </div>
        {pane === 'outputs' && (
          <div class="files column">
            {outputs.map((output) => (
              <FileCard key={output.alias} client={client} output={output} read={read}>
                <OutputActions client={client} file={output.file} read={read} />
              </FileCard>
            ))}
          </div>
        )}
        {pane === 'request' && <RequestView record={record} />}
        {pane === 'inputs' && <InputsView record={record} />}
        {pane === 'webhooks' && <Deliveries client={client} id={record.command_id} />}
        {pane === 'log' && <LogView log={log} record={record} isQuoted={isQuoted} />}
      </div>
      {isWide && <LogView log={log} record={record} isQuoted={isQuoted} />}
    </div>
  )
}

function useWide(): boolean {
  const isWide = useSignal(matchMedia('(min-width: 1200px)').matches)
  useEffect(() => {
    const query = matchMedia('(min-width: 1200px)')
    const changed = () => (isWide.value = query.matches)
    query.addEventListener('change', changed)
    return () => query.removeEventListener('change', changed)
  }, [])
  return isWide.value
}

function Instead({
  problem,
  read,
}: {
  readonly problem: unknown
  readonly read: () => Promise<void>
}) {
  const list = href({ page: 'commands' })
  if (problem === null) {
    return <Skeleton rows={1} isTall late="Still asking for the command." />
  }
  return (
    <div class="instead column middle">
      <h1>{isUnknown(problem) ? 'No such command' : 'The command cannot be read'}</h1>
      <p>
        {isUnknown(problem)
          ? 'This account has no command with that id. It may belong to another key.'
          : reasonOf(problem)}
      </p>
      <div class="actions">
        <a class="button" href={list}>
          Commands
        </a>
        {!isUnknown(problem) && <Button onClick={read}>Refresh</Button>}
      </div>
    </div>
  )
}
