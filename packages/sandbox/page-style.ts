/** One style sheet for every page of the sandbox; `--accent` is the colour of the service that a page imitates. */
export const pageStyle = `
:root { color-scheme: light dark; --paper: light-dark(#f6f3ee, #161412); --card: light-dark(#fffdfa, #211e1b); --ink: light-dark(#1d1a17, #f1ece5);
  --muted: light-dark(#635c53, #b3a99c); --line: light-dark(#ded6ca, #3a352f); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; overflow-wrap: anywhere; }
a { color: inherit; }
header { display: flex; flex-wrap: wrap; gap: 2px 12px; align-items: baseline; padding: 10px 16px; border-bottom: 3px solid var(--accent); background: var(--card); font-size: 14px; }
header span { color: var(--muted); flex: 1; }
header a { text-decoration: none; padding: 6px 4px; }
main { max-width: 520px; margin: 24px auto 48px; padding: 0 16px; }
main.wide { max-width: 1040px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 8px; letter-spacing: -0.01em; }
h2 { font-size: 18px; margin: 28px 0 8px; }
p { margin: 8px 0; }
.muted { color: var(--muted); font-size: 14px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 20px; margin: 12px 0; }
.card > :first-child { margin-top: 0; }
.rows { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.rows > li + li { border-top: 1px solid var(--line); }
.rows a, .rows label, .rows .row { display: flex; gap: 10px; align-items: center; min-height: 48px; padding: 10px 16px; text-decoration: none; }
.rows a:hover, .rows label:hover { background: color-mix(in srgb, var(--accent) 8%, transparent); }
.rows .end { margin-left: auto; color: var(--muted); font-size: 13px; text-align: right; white-space: nowrap; }
.grow { flex: 1; min-width: 0; }
fieldset { border: 0; padding: 0; margin: 16px 0; }
legend { font-weight: 600; padding: 0 0 6px; }
input[type=radio], input[type=checkbox] { width: 20px; height: 20px; accent-color: var(--accent); flex: none; }
.actions { display: flex; flex-wrap: wrap; gap: 10px; margin-top: 20px; }
.actions form { display: contents; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: 8px 18px; border-radius: 8px; border: 1px solid var(--line);
  background: var(--card); color: var(--ink); font: inherit; font-weight: 600; cursor: pointer; text-decoration: none; }
button.main, .button.main { background: var(--accent); border-color: var(--accent); color: #fff; }
@media (prefers-color-scheme: dark) { button.main, .button.main { border-color: #fff6; } }
button:focus-visible, a:focus-visible, input:focus-visible { outline: 3px solid color-mix(in srgb, var(--accent) 60%, var(--ink)); outline-offset: 2px; }
.badge { display: inline-block; padding: 1px 8px; border-radius: 99px; border: 1px solid var(--line); font-size: 12px; font-weight: 600; }
.price { font-size: 32px; font-weight: 700; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0; }
dt { color: var(--muted); }
dd { margin: 0; }
iframe { width: 100%; height: 70vh; border: 1px solid var(--line); border-radius: 12px; background: #fff; }
pre { white-space: pre-wrap; font: 14px/1.5 ui-monospace, monospace; }
img, video { max-width: 100%; }
`
