import { createHash } from 'node:crypto'

/** The looks of a report, light and dark, wide and as narrow as a phone. */
export const reportStyle = `
:root{color-scheme:light dark;--ground:#fbfbfa;--sheet:#fff;--ink:#1d1f23;--dim:#626871;--line:#e2e4e8;--accent:#2459c4;
--good:#1a7f4b;--bad:#b3261e;--warn:#8a5a00;--work:#d5d8dd;--model:#6a45bd;--call:#2350c0;--wait:#b97700;--code:#f3f4f6}
@media(prefers-color-scheme:dark){:root{--ground:#14161a;--sheet:#1b1e24;--ink:#e6e8ec;--dim:#9aa2ad;--line:#2e333b;--accent:#86abff;
--good:#62c993;--bad:#ff8f86;--warn:#e8b45a;--work:#3b4048;--model:#bda6ff;--call:#8fb0ff;--wait:#f2b955;--code:#22262d}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:62rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.05rem;margin:2.25rem 0 .6rem}
p{margin:.4rem 0}
.dim{color:var(--dim)}
.chip{display:inline-block;padding:.05rem .55rem;border-radius:1rem;border:1px solid currentColor;font-size:.8rem;font-weight:600;white-space:nowrap}
.completed{color:var(--good)}.failed,.aborted{color:var(--bad)}.budget,.permission,.open{color:var(--warn)}
.figures{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0 0;padding:0;list-style:none}
.figures li{background:var(--sheet);border:1px solid var(--line);border-radius:.5rem;padding:.45rem .8rem;min-width:6.5rem;flex:1}
.figures b{display:block;font-size:1.15rem}
.scroll{overflow-x:auto;background:var(--sheet);border:1px solid var(--line);border-radius:.5rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.45rem .8rem;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
th{font-size:.8rem;color:var(--dim);font-weight:600}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
pre{margin:.3rem 0 0;padding:.6rem .8rem;background:var(--code);border-radius:.4rem;white-space:pre-wrap;overflow-wrap:anywhere;
font:13px/1.45 ui-monospace,monospace;max-height:32rem;overflow-y:auto}
.answer{background:var(--sheet);border:1px solid var(--line);border-left:.25rem solid var(--accent);border-radius:.5rem;padding:.8rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere}
.timeline{background:var(--sheet);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .8rem .6rem 144px}
svg{display:block;overflow:visible}
svg text{fill:var(--ink);font:12px system-ui,sans-serif}
.tick{fill:var(--line)}
svg .tick-name{fill:var(--dim);text-anchor:middle}
.timeline g:first-of-type .tick-name{text-anchor:start}
.timeline g:nth-of-type(5) .tick-name{text-anchor:end}
.is-work{--kind:var(--work)}.is-model{--kind:var(--model)}.is-call{--kind:var(--call)}.is-wait{--kind:var(--wait)}.is-blocked{--kind:var(--dim)}
.bar{fill:var(--kind);stroke:var(--kind);vector-effect:non-scaling-stroke}
.key{display:flex;gap:.2rem 1rem;flex-wrap:wrap;font-size:.8rem;color:var(--dim);margin:.4rem 0 0}
.swatch{display:inline-block;width:.8rem;height:.8rem;border-radius:.2rem;margin-right:.35rem;vertical-align:-.08rem;background:var(--kind)}
.swatch.is-blocked{height:.3rem;vertical-align:.15rem}
ol.log{list-style:none;margin:0;padding:0;background:var(--sheet);border:1px solid var(--line);border-radius:.5rem}
.log li{padding:.4rem .8rem;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
.log li:last-child{border-bottom:0}
.log summary{cursor:pointer}
.log time{color:var(--dim);font-size:.8rem;font-variant-numeric:tabular-nums;margin-right:.5rem}
.log .who{font-weight:600;margin-right:.5rem}
.log .warning,.log .error{color:var(--bad)}
.log .call::before{content:"→ "}.log .result::before{content:"← "}.log .error::before{content:"✗ "}
.log .sent::before,.log .received::before{content:"✉ "}
.log .say p{white-space:pre-wrap;margin:.2rem 0 0}
.note{border-left:.25rem solid var(--warn);padding:.3rem .8rem;overflow-wrap:anywhere}
td:first-child{overflow-wrap:anywhere}
ul.note{list-style:none;margin:.4rem 0}
.note a{color:inherit}
@media(max-width:30rem){.timeline g:nth-of-type(even) .tick-name{display:none}th,td{padding:.4rem .5rem}main{padding:1rem .75rem 3rem}.log time{display:block}}
@media print{pre{max-height:none}body{background:none}.swatch,.chip{print-color-adjust:exact}h2{break-after:avoid}tr,.figures,.timeline,.log li{break-inside:avoid}}
`

/** The style as its Content-Security-Policy allows it, and no other. */
export const reportStyleHash = `sha256-${createHash('sha256').update(reportStyle).digest('base64')}`
