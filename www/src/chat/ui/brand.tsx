export function Brand() {
  return (
    <p class="brand">
      <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
        <rect class="brand-tile" width="32" height="32" rx="8" />
        <path class="brand-rudder" d="M8 7.5h11.5a4 4 0 0 1 4 4v2.2L8 18.5z" />
        <path class="brand-tab" d="M8 20.8 23.5 16v3.6a5 5 0 0 1-5 5H8z" />
      </svg>
      trimtab
    </p>
  )
}
