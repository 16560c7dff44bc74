// How the button looks. Everything that a page may change is a custom property; docs/call-button.md lists them. As an adopted style
// sheet it needs no 'unsafe-inline' in the page's policy.
const CSS = `
:host {
  --_accent: var(--dialtree-accent, #0b6b4f);
  --_on-accent: var(--dialtree-on-accent, #fff);
  --_danger: var(--dialtree-danger, #b3261e);
  --_surface: var(--dialtree-surface, #fff);
  --_text: var(--dialtree-text, #1c1b1f);
  --_radius: var(--dialtree-radius, 999px);
  display: inline-block;
  font: var(--dialtree-font, 500 1rem/1.4 system-ui, sans-serif);
  color: var(--_text);
}
:host([hidden]) { display: none; }
:host([position="corner"]) {
  position: fixed; inset-block-end: var(--dialtree-inset, 1rem); inset-inline-end: var(--dialtree-inset, 1rem);
  z-index: var(--dialtree-layer, 1000);
}
[hidden] { display: none !important; }
.box { display: flex; flex-direction: column; gap: .5rem; align-items: flex-start; max-inline-size: 20rem; }
.box.live {
  padding: .75rem; background: var(--_surface); border: 1px solid #0003; border-radius: min(var(--_radius), 1rem);
  box-shadow: var(--dialtree-shadow, 0 4px 16px #0003);
}
button, input { font: inherit; }
button {
  display: inline-flex; align-items: center; justify-content: center; gap: .5em; min-block-size: 44px; min-inline-size: 44px;
  padding: .4em 1em; border: 1px solid #0003; border-radius: var(--_radius); background: var(--_surface); color: var(--_text);
  cursor: pointer;
}
button:hover { filter: brightness(.93); }
button:focus-visible, input:focus-visible { outline: 3px solid var(--dialtree-focus, #1a73e8); outline-offset: 2px; }
button[aria-pressed="true"], button[aria-expanded="true"] { background: var(--_text); color: var(--_surface); }
.call { background: var(--_accent); color: var(--_on-accent); border-color: transparent; }
.end { background: var(--_danger); color: #fff; border-color: transparent; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.keys { display: grid; grid-template-columns: repeat(3, 1fr); gap: .4rem; inline-size: 100%; }
.status { margin: 0; }
.time { font-variant-numeric: tabular-nums; }
label { display: flex; flex-direction: column; gap: .25rem; }
input { min-block-size: 40px; padding: .3em .6em; border: 1px solid #767676; border-radius: .5rem; color: inherit; background: var(--_surface); }
svg { inline-size: 1.2em; block-size: 1.2em; fill: currentColor; flex: none; }
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;

let sheet: CSSStyleSheet | undefined;

export function look(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  return sheet;
}
