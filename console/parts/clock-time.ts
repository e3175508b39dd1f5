import { preferences } from './preferences.ts'

type Zone = 'local' | 'utc'

/** "12:03:20", with "UTC" where that was chosen. */
export function clockTime(time: Date, zone: Zone = preferences.value.zone): string {
  return formatted(time, zone, { timeStyle: 'medium' })
}

/** "19 May 2026, 18:15". */
export function dayAndTime(time: Date, zone: Zone = preferences.value.zone): string {
  return formatted(time, zone, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
}

/** "19 May 2026, 18:15:20 UTC": with its zone in both. */
export function exactTime(time: Date, zone: Zone = preferences.value.zone): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    timeZone: zone === 'utc' ? 'UTC' : undefined,
  }).format(time)
}

/** "19 May". A day of the API is one of UTC in both zones. */
export function day(time: Date, zone: Zone): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
  }).format(time)
}

/** "18:00". */
export function hourOfDay(time: Date, zone: Zone): string {
  return new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
  }).format(time)
}

function formatted(time: Date, zone: Zone, options: Intl.DateTimeFormatOptions): string {
  if (zone === 'local') return new Intl.DateTimeFormat('en-GB', options).format(time)
  return `${new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(time)} UTC`
}
