// The look: colors and sizes are custom properties, which a page sets on `quintet-search`. Light and dark follow the
// `color-scheme` of the page. A constructed sheet needs no permission from a Content Security Policy.

const css = `
:host { display: inline-block; }
:host([inline]) { display: block; }
:host([hidden]) { display: none; }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
[part=root] {
  --q-accent: var(--quintet-search-accent, LinkText);
  --q-background: var(--quintet-search-background, Canvas);
  --q-text: var(--quintet-search-text, CanvasText);
  --q-muted: var(--quintet-search-muted, color-mix(in srgb, var(--q-text) 68%, var(--q-background)));
  --q-border: var(--quintet-search-border, color-mix(in srgb, var(--q-text) 18%, var(--q-background)));
  --q-hover: var(--quintet-search-hover, color-mix(in srgb, var(--q-accent) 12%, var(--q-background)));
  --q-mark: var(--quintet-search-mark, color-mix(in srgb, var(--q-accent) 22%, transparent));
  --q-radius: var(--quintet-search-radius, 10px);
  --q-font: var(--quintet-search-font, inherit);
  --q-width: var(--quintet-search-width, 640px);
  color: var(--q-text);
  font: var(--q-font);
  line-height: 1.5;
  text-align: start;
}
button, input { color: inherit; font: inherit; letter-spacing: inherit; }
button { cursor: pointer; }
svg { width: 1.2em; height: 1.2em; flex: none; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
kbd { padding: 0 .4em; border: 1px solid var(--q-border); border-radius: 4px; color: var(--q-muted); font: inherit; font-size: .75em; line-height: 1.7; white-space: nowrap; }
:focus-visible { outline: 2px solid var(--q-accent); outline-offset: 2px; }

[part=trigger] { display: inline-flex; align-items: center; gap: .5em; min-height: 36px; padding: .25em .7em; border: 1px solid var(--q-border); border-radius: var(--q-radius); background: var(--q-background); color: var(--q-muted); }
[part=trigger]:hover { border-color: var(--q-accent); color: var(--q-text); }
[part=trigger-keys] { margin-inline-start: .5em; }

dialog { width: min(var(--q-width), calc(100vw - 32px)); max-width: none; max-height: min(80dvh, 720px); margin: 10dvh auto auto; padding: 0; border: 1px solid var(--q-border); border-radius: var(--q-radius); background: var(--q-background); color: inherit; box-shadow: var(--quintet-search-shadow, 0 16px 48px rgb(0 0 0 / 30%)); overflow: hidden; }
dialog[open] { display: flex; }
dialog::backdrop { background: var(--quintet-search-backdrop, rgb(0 0 0 / 45%)); }
[part=box] { display: flex; flex: 1; flex-direction: column; min-width: 0; min-height: 0; background: var(--q-background); }
.inline [part=box] { border: 1px solid var(--q-border); border-radius: var(--q-radius); }
[part=field] { display: flex; align-items: center; gap: .6em; padding: 0 .9em; color: var(--q-muted); }
.inline [part=field]:focus-within { border-radius: var(--q-radius); outline: 2px solid var(--q-accent); outline-offset: -1px; }
[part=input] { flex: 1; min-width: 0; height: 3.2em; padding: 0; border: 0; outline: 0; background: none; color: var(--q-text); font-size: max(1em, 16px); }
[part=input]::placeholder { color: var(--q-muted); opacity: 1; }
[part=clear], [part=close] { display: inline-grid; place-items: center; min-width: 32px; min-height: 32px; padding: 0; border: 0; border-radius: 6px; background: none; color: var(--q-muted); }
[part=clear]:hover, [part=close]:hover { color: var(--q-text); }
[part=close] svg { display: none; }

[part=progress] { flex: none; height: 2px; background: var(--q-border); overflow: hidden; }
.inline [part=progress] { background: none; }
[aria-busy] [part=progress]::after { content: ''; display: block; width: 30%; height: 100%; background: var(--q-accent); opacity: 0; animation: quintet-wait 1.2s .3s infinite; }
@keyframes quintet-wait { from { opacity: 1; transform: translateX(-100%); } to { opacity: 1; transform: translateX(400%); } }

[part=body] { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; scroll-padding: 8px; }
.inline [part=body] { overflow: visible; }
[part=results]:not(:empty) { padding: 8px; }
[part=result] + [part=result] { margin-top: 6px; padding-top: 6px; border-top: 1px solid var(--q-border); }
[role=option] { display: flex; gap: .7em; min-height: 36px; padding: .45em .6em; border-radius: 7px; color: inherit; text-decoration: none; }
[role=option] svg { margin-top: .2em; color: var(--q-muted); }
[part~=section] { margin-inline-start: 1.3em; }
[role=option]:hover { background: var(--q-hover); }
[role=option][aria-selected=true] { background: var(--q-hover); outline: 2px solid var(--q-accent); outline-offset: -2px; }
.texts { display: grid; flex: 1; min-width: 0; }
.texts > * { overflow-wrap: anywhere; }
[part=path], [part=excerpt], [part=footer] { color: var(--q-muted); font-size: .85em; }
[part=path] { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
[part=title] { font-weight: 600; }
[part~=section] [part=title] { font-weight: 500; }
[part=excerpt] { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 3; }
[part=mark] { border-radius: 2px; background: var(--q-mark); color: var(--q-text); font-weight: 600; }

[part=empty], [part=error] { padding: 2em 1em; color: var(--q-muted); text-align: center; overflow-wrap: anywhere; }
[part=error] { display: grid; gap: .8em; justify-items: center; }
[part=again], [part=more] { min-height: 36px; padding: .3em 1em; border: 1px solid var(--q-border); border-radius: 7px; background: none; }
[part=more] { display: block; margin: 0 auto 12px; }
[part=again]:hover, [part=more]:hover { border-color: var(--q-accent); }
[part=filters] { padding: .5em 1em; border-bottom: 1px solid var(--q-border); font-size: .9em; }
[part=filters-title] { cursor: pointer; color: var(--q-muted); }
[part=filter-group] { display: flex; flex-wrap: wrap; gap: 0 1em; max-height: 9em; margin: .3em 0 0; padding: 0; border: 0; overflow-y: auto; }
legend { padding: 0; font-weight: 600; }
[part=filter] { display: inline-flex; align-items: center; gap: .35em; min-height: 28px; cursor: pointer; }
[part=filter-box] { margin: 0; accent-color: var(--q-accent); }
[part=filter-count] { color: var(--q-muted); }
[part=footer] { display: flex; flex: none; gap: 1em; justify-content: space-between; padding: .5em 1em; border-top: 1px solid var(--q-border); }
.keys { display: inline-flex; gap: .35em; align-items: center; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (max-width: 480px) {
  dialog { width: 100vw; height: 100dvh; max-height: none; margin: 0; border: 0; border-radius: 0; }
  .keys, .keys-only { display: none !important; }
}
@media (pointer: coarse) {
  [part=trigger], [part=clear], [part=close], [part=again], [part=more], [role=option], [part=filter], summary { min-width: 44px; min-height: 44px; }
  summary { line-height: 44px; }
  [part=trigger-keys], .keys, .keys-only, [part=close] kbd, .modal [part=field] > svg { display: none !important; }
  [part=close] { order: -1; }
  [part=close] svg { display: block; }
  [dir=rtl] [part=close] svg { transform: scaleX(-1); }
}
@media (prefers-reduced-motion: reduce) {
  [aria-busy] [part=progress]::after { width: 100%; transform: none; animation-name: quintet-appear; animation-iteration-count: 1; animation-fill-mode: forwards; }
  @keyframes quintet-appear { to { opacity: 1; } }
}
@media (forced-colors: active) {
  [part=mark] { background: Mark; color: MarkText; forced-color-adjust: none; }
  [role=option][aria-selected=true] { outline-color: Highlight; }
}
`;

let made: CSSStyleSheet | undefined;

/** One for all elements of a page. */
export function sheet(): CSSStyleSheet {
  if (!made) {
    made = new CSSStyleSheet();
    made.replaceSync(css);
  }
  return made;
}
