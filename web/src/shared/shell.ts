// The parts that every page needs. Import it first.

import './copy_buttons.js';
import { keepForOffline, servedForOffline } from './offline.js';

const button = document.getElementById('theme')!;
const system = matchMedia('(prefers-color-scheme: dark)');

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : system.matches;
};

function chooseTheme(dark: boolean): void {
  // Choosing the system's own theme means following the system again.
  const chosen = dark === system.matches ? undefined : dark ? 'dark' : 'light';
  if (chosen) document.documentElement.dataset['theme'] = chosen;
  else delete document.documentElement.dataset['theme'];
  try {
    if (chosen) localStorage.setItem('quintet-theme', chosen);
    else localStorage.removeItem('quintet-theme');
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}

button.addEventListener('click', () => chooseTheme(!isDark()));

const offline = document.getElementById('offline')!;
const sayWhetherOnline = (): void => {
  offline.textContent = navigator.onLine ? '' : 'You are offline. Everything you have used before still works.';
};
addEventListener('offline', sayWhetherOnline);
addEventListener('online', sayWhetherOnline);

// Pages wait for this, since they import this module.
await servedForOffline();

const keep = (): void => keepForOffline((sentence) => (offline.textContent = sentence));
// Loading this page comes first.
if ('requestIdleCallback' in globalThis) requestIdleCallback(keep, { timeout: 5000 });
else setTimeout(keep, 1000);
