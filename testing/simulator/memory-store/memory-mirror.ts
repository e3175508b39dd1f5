import { hasJob, hasResource, isEnded, rowsOf } from './memory-rows.ts'
import type { CommandRow, Methods, Tables } from './memory-rows.ts'
import type { Collectable } from '../../../common/store/reconcile.ts'
import { reconcileRowOf } from './memory-views.ts'

/** Rows and the custom resources that show them, until these are collected. */
export function memoryMirror(tables: Tables, now: () => number) {
  /** Oldest first. */
  const collectable = ({ olderThanSeconds, keepNewest, keepSeconds }: Collectable) =>
    rowsOf(tables)
      .filter((row) => hasResource(row) && row.mirroredAt !== null && row.releasedAt !== null)
      .toSorted((a, b) => mirroredAt(b) - mirroredAt(a) || (id(a) < id(b) ? 1 : -1))
      .filter(
        (row, newer) =>
          mirroredAt(row) <= now() - olderThanSeconds * 1_000 &&
          (newer >= keepNewest || mirroredAt(row) <= now() - keepSeconds * 1_000),
      )
      .toReversed()
  return {
    findForReconcile(commandId) {
      const row = tables.commands.get(commandId)
      return row === undefined ? null : reconcileRowOf(tables, row, now())
    },
    findUnmirrored: (limit) =>
      rowsOf(tables)
        .filter((row) => row.unmirroredSince !== null && hasResource(row))
        .toSorted((a, b) => Number(isUrgent(b)) - Number(isUrgent(a)) || age(a) - age(b))
        .slice(0, limit)
        .map((row) => ({
          commandId: row.submission.commandId,
          version: row.version,
          final: isEnded(row),
          cancelRequested: row.cancelRequested,
        })),
    markMirrored(commandId, version) {
      const row = tables.commands.get(commandId)
      if (row === undefined || row.mirroredAt !== null) return
      if (row.mirroredVersion >= version && row.unmirroredSince === null) return
      row.mirroredVersion = Math.max(row.mirroredVersion, Math.min(version, row.version))
      if (version < row.version) return
      row.unmirroredSince = null
      if (isEnded(row)) row.mirroredAt = now()
    },
    findCollectable: ({ except, kept = [], limit, ...query }) =>
      collectable(query)
        .map(id)
        .filter((commandId) => !except.includes(commandId) && !kept.includes(commandId))
        .slice(0, limit),
    collectableBacklog(kept) {
      const rows = collectable(kept)
      const seconds = rows[0] === undefined ? 0 : (now() - mirroredAt(rows[0])) / 1_000
      return { rows: rows.length, oldestSeconds: Math.max(0, seconds - kept.olderThanSeconds) }
    },
    markResourceDeleted(commandId) {
      const row = tables.commands.get(commandId)
      if (row === undefined || !isEnded(row) || row.resourceDeletedAt !== null) return
      row.resourceDeletedAt = now()
      row.unmirroredSince = null
    },
    findUnsettled: ({ afterCommandId, limit }) =>
      rowsOf(tables)
        .filter((row) => (isEnded(row) ? hasJob(row) : hasResource(row)))
        .map(id)
        .filter((commandId) => afterCommandId === null || commandId > afterCommandId)
        .toSorted()
        .slice(0, limit),
  } satisfies Partial<Methods>
}

function id(row: CommandRow): string {
  return row.submission.commandId
}

function mirroredAt(row: CommandRow): number {
  return row.mirroredAt ?? Infinity
}

function isUrgent(row: CommandRow): boolean {
  return isEnded(row) || row.cancelRequested
}

function age(row: CommandRow): number {
  return row.unmirroredSince ?? Infinity
}
