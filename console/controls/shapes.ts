/** Shapes of 16 by 16, drawn in the colour of the text. Each stands beside words that say the same. */
export const shapes = {
  queued:
    'M8 2a6 6 0 0 1 4.2 1.8M14 8a6 6 0 0 1-1.8 4.2M8 14a6 6 0 0 1-4.2-1.8M2 8a6 6 0 0 1 1.8-4.2',
  running: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M8 2v12',
  done: 'M3 8.5 6.5 12 13 4.5',
  failed: 'M4 4l8 8M12 4l-8 8',
  cancelled: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2M4 12 12 4',
  copy: 'M6 6h7v7H6zM10 3H3v7',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.5 10.5 14 14',
  back: 'M9.5 3 4.5 8l5 5',
  next: 'M6.5 3l5 5-5 5',
  down: 'M4 6l4 4 4-4',
  bell: 'M4 11V7.5a4 4 0 0 1 8 0V11l1 1.5H3zM7 14.5h2',
  plus: 'M8 3v10M3 8h10',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M3 14h10',
  upload: 'M8 13V5M4.5 8 8 4.5 11.5 8M3 2h10',
  warning: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.5M8 12h.01',
  play: 'M5 3.5v9l7-4.5z',
  open: 'M9 3h4v4M13 3 7 9M11 9v4H3V5h4',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  lock: 'M4 7h8v6H4zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  grid: 'M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM9 9h4v4H9z',
  sound:
    'M6 11.5V4l6-1.5v7.5M6 11.5a1.75 1.75 0 1 1-3.5 0 1.75 1.75 0 0 1 3.5 0M12 10a1.75 1.75 0 1 1-3.5 0A1.75 1.75 0 0 1 12 10',
  list: 'M3 4h10M3 8h10M3 12h10',
  book: 'M3 3h4.5v10H3zM7.5 3H13v10H7.5',
  code: 'M5 4 1.5 8 5 12M11 4l3.5 4-3.5 4',
  keys: 'M2 4h12v8H2zM5 7h.01M8 7h.01M11 7h.01M5 9.5h6',
  chart: 'M2 14h12M4 14V9M8 14V3M12 14V6',
  key: 'M5 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M8.5 8H14v3M11 8v2.5',
  settings: 'M2 4.5h7M12 4.5h2M10.5 3v3M2 11.5h2M7 11.5h7M5.5 10v3',
  more: 'M2.5 8h1M7.5 8h1M12.5 8h1',
} as const

export type IconName = keyof typeof shapes
