// What web pages load from /call-button.js: one script tag makes a call button of it.
//
//   <script async src="https://pbx.example.com/call-button.js" data-key="default.website-sales"></script>
//
// puts a button where the script stands, with the script's data- attributes as its own. Pages that place the button themselves leave
// data-key away and write <dialtree-call-button key="…">. Built by itself (bin/build.js), in less than 60 KiB.
import { CallButton, setService, TAG } from './button-element.ts';

const script = document.currentScript;
if (script instanceof HTMLScriptElement) {
  setService(new URL(script.src).origin);
  if (!customElements.get(TAG)) customElements.define(TAG, CallButton);
  if (script.dataset['key']) place(script);
}

function place(at: HTMLScriptElement): void {
  const button = document.createElement(TAG);
  for (const { name, value } of at.attributes)
    if (name.startsWith('data-')) button.setAttribute(name.slice('data-'.length), value);
  // In the head nothing is seen: then in the corner of the page.
  if (at.closest('body')) return at.after(button);
  button.setAttribute('position', 'corner');
  if (document.body) document.body.append(button);
  else addEventListener('DOMContentLoaded', () => document.body.append(button));
}
