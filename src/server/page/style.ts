/** The style of the page. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #666; --bad: #b3261e; --link: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --soft: #aaa; --bad: #ff8a80; --link: #8ab4f8; } }
* { box-sizing: border-box; }
body { font: 1rem/1.45 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 0 1rem 2rem; }
h1 { font-size: 1.4rem; margin: 1rem 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
input, select, button { font: inherit; padding: .3rem .5rem; max-width: 100%; }
[hidden] { display: none !important; }
.fields { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .75rem 0; }
.fields label { display: grid; gap: .1rem; font-size: .85rem; color: var(--soft); }
.scroll { overflow: auto; max-height: 75vh; border: 1px solid var(--line); border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: start; padding: .4rem .5rem; font-size: .85rem; color: var(--soft); }
thead th { position: sticky; top: 0; background: Canvas; padding: 0; box-shadow: 0 1px var(--line); }
th button { all: unset; cursor: pointer; padding: .4rem .5rem; white-space: nowrap; }
th button:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
th[aria-sort=ascending] button::after { content: ' \\25B4'; }
th[aria-sort=descending] button::after { content: ' \\25BE'; }
tbody th { font-weight: 500; overflow-wrap: anywhere; min-width: 7rem; }
tbody :is(th, td) { padding: .3rem .5rem; border-top: 1px solid var(--line); }
th, td { text-align: start; }
.number { text-align: end; }
td { white-space: nowrap; }
tr.old { color: var(--soft); }
pre { overflow: auto; border: 1px solid var(--line); border-radius: .4rem; padding: .5rem; margin: .5rem 0; }
pre, output { white-space: pre-wrap; overflow-wrap: anywhere; }
#body { max-height: 60vh; }
.notice { color: var(--bad); font-weight: 600; margin: .25rem 0; }
.soft { color: var(--soft); font-size: .85rem; }
@media (max-width: 40rem) {
  body { padding: 0 .6rem 2rem; }
  table { font-size: .85rem; }
  th button, tbody :is(th, td) { padding: .35rem .3rem; }
  tbody th { min-width: 5.5rem; }
  .point { display: block; }
  tbody td { white-space: normal; }
}
`;
