// What every page does, whatever else it does: import it first.

import { keepForOffline, servedForOffline } from './offline.js';

const button = document.getElementById('theme')!;
const system = matchMedia('(prefers-color-scheme: dark)');

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : system.matches;
};

function chooseTheme(dark: boolean): void {
  // What the system has anyway is no choice: the page goes on following the system.
  const chosen = dark === system.matches ? undefined : dark ? 'dark' : 'light';
  if (chosen) document.documentElement.dataset['theme'] = chosen;
  else delete document.documentElement.dataset['theme'];
  try {
    if (chosen) localStorage.setItem('quintet-theme', chosen);
    else localStorage.removeItem('quintet-theme');
  } catch {
    // No storage here: the choice lasts as long as the page.
  }
}

button.addEventListener('click', () => chooseTheme(!isDark()));

const offline = document.getElementById('offline')!;
const sayWhetherOnline = (): void => {
  offline.textContent = navigator.onLine ? '' : 'You are offline: what you have used before works all the same.';
};
addEventListener('offline', sayWhetherOnline);
addEventListener('online', sayWhetherOnline);

// Pages wait for this, since it is in a module that they import.
await servedForOffline();

const keep = (): void => keepForOffline((sentence) => (offline.textContent = sentence));
// What is on this page comes first.
if ('requestIdleCallback' in globalThis) requestIdleCallback(keep, { timeout: 5000 });
else setTimeout(keep, 1000);
