import { Router } from 'express'
import { forgetAfter } from '../commands/read/command-records.ts'
import { cancelCommand } from '../commands/follow/cancel-command.ts'
import { getCommandEvents } from '../commands/follow/get-command-events.ts'
import { getCommandLogs } from '../commands/follow/get-command-logs.ts'
import { getEvents } from '../commands/follow/get-events.ts'
import { createStreams } from '../commands/follow/streams.ts'
import { createCommandWatch } from '../commands/follow/watch-commands.ts'
import { watchCommandsOfAccounts, watchFilesOfAccounts } from '../commands/follow/watched-rows.ts'
import { getCommandTimeline } from '../commands/read/get-timeline.ts'
import { listCommands } from '../commands/read/list-commands.ts'
import { getCommand } from '../commands/read/read-calls.ts'
import { runChainedFfmpegCommands, runFfmpegCommand } from '../commands/submit/submit-calls.ts'
import { validateFfmpegCommand } from '../commands/submit/validate-ffmpeg-command.ts'
import { deleteCommandFiles } from '../files/delete-calls.ts'
import { unlessPaused } from '../limits/pause-watch.ts'
import type { AppDeps, Shared } from './app-deps.ts'
import type { Calls } from '../middleware/call.ts'

/** Submission of commands, their records, logs and events. */
export function commandsRouter(
  { call, wrongMethod }: Calls,
  { effects, logger, storage, limits, streams: streamDeps }: AppDeps,
  { records, queueRoom }: Shared,
): Router {
  const { store, fileUrls, objects, submit } = storage
  const { plans, pauses } = limits
  const { clock } = effects
  const watch = createCommandWatch({ store, clock, logger })
  const streams = createStreams({ ...streamDeps, plans, effects })
  const accepting = { store, effects, plans, submit, queueRoom }
  const router = Router()
  router
    .route('/v1/commands/:command_id')
    .get(...call(getCommand({ records, fileUrls })))
    .all(wrongMethod)
  router
    .route('/v1/commands')
    .get(...call(listCommands({ store, fileUrls, pauses, clock })))
    .all(wrongMethod)
  router
    .route('/v1/run-ffmpeg-command')
    .post(...call(unlessPaused(pauses, runFfmpegCommand(accepting))))
    .all(wrongMethod)
  router
    .route('/v1/run-chained-ffmpeg-commands')
    .post(...call(unlessPaused(pauses, runChainedFfmpegCommands(accepting))))
    .all(wrongMethod)
  router
    .route('/v1/validate-ffmpeg-command')
    .post(...call(validateFfmpegCommand({ store, plans })))
    .all(wrongMethod)
  router
    .route('/v1/commands/:command_id/events')
    .get(...call(getCommandEvents({ store, watch, clock, streams })))
    .all(wrongMethod)
  router
    .route('/v1/commands/:command_id/logs')
    .get(...call(getCommandLogs({ store, objects, watch, streams })))
    .all(wrongMethod)
  router
    .route('/v1/commands/:command_id/timeline')
    .get(...call(getCommandTimeline({ store })))
    .all(wrongMethod)
  router
    .route('/v1/commands/:command_id/cancel')
    .post(...call(cancelCommand({ store, watch, records, fileUrls, effects })))
    .all(wrongMethod)
  router
    .route('/v1/commands/:command_id/files')
    .delete(...call(forgetAfter(records, deleteCommandFiles({ store, effects }))))
    .all(wrongMethod)
  router
    .route('/v1/events')
    .get(
      ...call(
        getEvents({
          watch: watchCommandsOfAccounts({ store, clock, logger }),
          fileWatch: watchFilesOfAccounts({ store, clock, logger }),
          clock,
          streams,
        }),
      ),
    )
    .all(wrongMethod)
  return router
}
