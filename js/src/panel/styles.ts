/**
 * Contrast is at least 4.5:1 for text and 3:1 for kinds, in light and dark. A host changes the colours with the custom
 * properties.
 */
export const STYLES = `
:host {
  --ink: var(--trimtab-ink, light-dark(#131920, #e8edf2));
  --quiet: var(--trimtab-quiet, light-dark(#5f6a77, #909baa));
  --line: var(--trimtab-line, light-dark(#dde2e7, #262e37));
  --sunken: var(--trimtab-sunken, light-dark(#f2f4f6, #0f1318));
  --accent: var(--trimtab-accent, light-dark(#0b6b74, #56d0c4));
  display: block;
  color: var(--ink);
  font: 13px/1.45 var(--trimtab-font, ui-sans-serif, system-ui, sans-serif);
  font-variant-numeric: tabular-nums;
}
:host([hidden]) { display: none; }
* { box-sizing: border-box; margin: 0; padding: 0; }
.panel { display: grid; gap: 10px; min-width: 0; }
.quiet { color: var(--quiet); }
.sum b { font-size: 1.6em; font-weight: 650; letter-spacing: -0.02em; }
.bar { display: grid; grid-template-columns: 2.6em minmax(0, 1fr) 3.6em; align-items: center; gap: 8px; color: var(--quiet); }
.bar + .bar { margin-top: -4px; }
.bar span:last-child { text-align: right; }
.bar svg { display: block; width: 100%; height: 14px; border-radius: 4px; }
.ground { fill: color-mix(in srgb, var(--ink) 8%, transparent); }
[data-kind] { --kind: light-dark(#8a919b, #8a919b); fill: var(--kind); }
[data-kind="all"] { --kind: var(--accent); }
[data-kind="system"] { --kind: light-dark(#4a5565, #98a4b4); }
[data-kind="user"] { --kind: light-dark(#4f46e5, #8f88ff); }
[data-kind="assistant"] { --kind: light-dark(#8b80f2, #b3acff); }
[data-kind="reasoning"] { --kind: light-dark(#bb6bd9, #d39be8); }
[data-kind="call"] { --kind: light-dark(#7c8797, #7c8797); }
[data-kind="result"] { --kind: light-dark(#1a86cf, #57b4f0); }
.swatch { flex: none; width: 9px; height: 9px; border-radius: 3px; background: var(--kind); forced-color-adjust: none; }
ul { list-style: none; }
.legend { display: grid; grid-template-columns: repeat(auto-fill, minmax(130px, 1fr)); gap: 2px 16px; }
.legend li, summary { display: flex; align-items: center; gap: 7px; min-width: 0; }
.name { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.size { color: var(--quiet); white-space: nowrap; }
.size b { color: var(--accent); }
.growth { display: block; width: 100%; height: 56px; }
.growth path { fill: none; stroke-width: 1.6; vector-effect: non-scaling-stroke; }
.line-full { stroke: var(--quiet); stroke-dasharray: 3 3; }
.line-sent { stroke: var(--accent); }
.blocks { border-top: 1px solid var(--line); padding-top: 6px; }
summary { min-height: 28px; padding: 2px 4px; border-radius: 6px; cursor: pointer; }
summary::-webkit-details-marker { display: none; }
summary:hover { background: var(--sunken); }
details p { padding: 2px 4px; overflow-wrap: anywhere; }
pre { max-height: 20em; margin: 2px 0 8px; padding: 8px 10px; overflow: auto; border-radius: 6px; background: var(--sunken); font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.stub { border-left: 3px solid var(--accent); }
button { min-height: 28px; padding: 0 4px; border: 0; background: none; color: var(--accent); font: inherit; text-decoration: underline; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (forced-colors: active) {
  svg { forced-color-adjust: none; }
  .line-sent { stroke: CanvasText; }
  .line-full { stroke: GrayText; }
}
`
