const PATHS = {
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  close: 'm5 5 10 10M15 5 5 15',
  send: 'M10 16V4m0 0L5 9m5-5 5 5',
  stop: 'M6 6h8v8H6z',
  play: 'M6.5 4v12l10-6z',
  pause: 'M6.5 4.5v11M13.5 4.5v11',
  step: 'M5 4v12l8-6zM15.5 4v12',
  again: 'M15.5 10a5.5 5.5 0 1 1-1.8-4.1M14 2.5V6h-3.5',
  plus: 'M10 4v12M4 10h12',
  copy: 'M7.5 7.5h9v9h-9zM4.5 12.5h-1v-9h9v1',
  check: 'm4.5 10.5 3.7 3.7L15.5 6',
  file: 'M5.5 3h6l3.5 3.5V17h-9.5z',
  folder: 'M3 5.5h5l1.6 2H17V15.5H3z',
  chevron: 'm6 8 4 4 4-4',
  before: 'm12 5-5 5 5 5',
  after: 'm8 5 5 5-5 5',
  pencil: 'M4 16l.8-3.4L13 4.4a1.6 1.6 0 0 1 2.3 0l.3.3a1.6 1.6 0 0 1 0 2.3l-8.2 8.2z',
  pin: 'M10 12.8V17M7.2 3h5.6M8 3v4.6L6 10.6v2.2h8v-2.2l-2-3V3',
  exclude: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M5.2 5.2l9.6 9.6',
  branch: 'M6 3v14M6 13c0-4 8-2 8-6.5V5M14 5l-2.3 2.3M14 5l2.3 2.3',
  down: 'M10 4v11m0 0 4.5-4.5M10 15l-4.5-4.5',
  fold: 'M4 4h12M4 16h12M10 6v3m0 0 2-2m-2 2L8 7m2 7v-3m0 0 2 2m-2-2-2 2',
  scissors:
    'M7.5 5A2.5 2.5 0 1 1 2.5 5a2.5 2.5 0 0 1 5 0m0 10a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0M6.8 6.8 10 10M17 3 6.8 13.2M12.3 12.3 17 17',
} as const

const FILLED: ReadonlySet<keyof typeof PATHS> = new Set(['stop', 'play', 'step'])

export function Icon({ name, size = 18 }: { name: keyof typeof PATHS; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width={size} height={size} aria-hidden="true">
      <path
        d={PATHS[name]}
        fill={FILLED.has(name) ? 'currentColor' : 'none'}
        stroke="currentColor"
        stroke-width="1.7"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  )
}
