import { dispatchWait } from '../pauses/paused.ts'

/** Positions up to this are counted with each read of a command's record. */
export const countedPositions = 1_000

/** The place of a row in its account's queue, as the indexes of dispatch and admission have it. */
export const queueKey = (row: string): string =>
  `coalesce(${row}.queue_key, ${row}.created_at), ${row}.command_id`

/** The row is in the queue of its account; work on a stored file needs no vCPUs, so it is not. */
const isQueued = 'c.admitted_at is null and c.finished_at is null and c.vcpu_count > 0'

/**
 * The commands of the queue of `c`, from `c` itself towards the front, at most `countedPositions` + 1
 * of each half: with a custom resource and without one. The comparison with `c.vcpu_count` keeps the
 * planner from simplifying the indexed expression into another one. The limit is hidden from it, so that
 * it expects few rows and reads them in the order of that index, and not all live ones to sort them.
 */
const half = (isDispatched: boolean): string => `(
  select q.vcpu_count from commands q
  where ${isQueued} and q.account_id = c.account_id and (q.vcpu_count = 0) = (c.vcpu_count = 0)
    and q.dispatched_at is ${isDispatched ? 'not null' : 'null'} and q.admitted_at is null
    and q.finished_at is null and (${queueKey('q')}) <= (${queueKey('c')})
  order by coalesce(q.queue_key, q.created_at) desc, q.command_id desc
  limit (select ${countedPositions + 1})
)`

/**
 * Joins the queue of `c` as `queue (position, vcpus)`: 1 = next, at most `countedPositions` + 1, and the
 * vCPUs of the commands up to `c`; null outside the queue. An admitted command waits for its runner and
 * not in the queue.
 */
export const joinQueue = `
  left join lateral (
    select count(*)::integer as position, sum(vcpu_count) as vcpus from (
      select * from (${half(false)} union all ${half(true)}) halves
      limit ${countedPositions + 1}
    ) ahead
  ) queue on ${isQueued}`

export const queuePosition = 'queue.position as "queuePosition"'

/** Fewer commands that have ended say too little about the next ones. */
export const leastEnded = 3
/** Years, so that no sum exceeds the range of a timestamp. */
const longestWaitSeconds = 1e8

/** Joins what is known about the account of a command in the queue; the limit keeps it to one probe. */
const joinShare = `
  left join lateral (
    select reason, rate_vcpus, mean_seconds, ended_commands from account_shares
    where account_id = c.account_id and ${isQueued} limit 1
  ) share on true`

/** Joins all that `queueColumns` read. */
export const joinQueueFacts = `${joinQueue} ${joinShare}`

/** Admitted, and something of the cluster keeps it from its runner. */
export const waitsToStart =
  'c.start_wait is not null and c.admitted_at is not null and c.attempt is null and c.finished_at is null'

/**
 * Position, reason and estimate of `c`. The rate is that of the whole account, so the command starts
 * when the vCPU-seconds of all commands up to itself have been served: those that run are in the
 * middle of their run on average, which its own run makes up for.
 */
export const queueColumns = `
  ${queuePosition},
  case when ${waitsToStart} then c.start_wait
  when ${isQueued} then coalesce(
    -- It is about files, which are not in this queue.
    nullif(share.reason, 'ACCOUNT_FILES'),
    ${dispatchWait}
  ) end as "queueReason",
  case when queue.position <= ${countedPositions} and share.ended_commands >= ${leastEnded}
    and share.rate_vcpus > 0
  then now() + make_interval(secs => least(
    queue.vcpus * share.mean_seconds / share.rate_vcpus, ${longestWaitSeconds}
  )) end as "estimatedStartAt"`
