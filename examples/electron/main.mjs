// The window shows app://quintet/, with Electron's defaults: isolated from Node, and in a sandbox.
import { app, BrowserWindow, protocol } from 'electron';
import { answer } from './answer.mjs';

// Workers and fetch() need an origin, which file: URLs do not have.
const privileges = { standard: true, secure: true, supportFetchAPI: true };
protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges }]);

await app.whenReady();
protocol.handle('app', answer);
const window = new BrowserWindow({ width: 800, height: 600 });
await window.loadURL('app://quintet/index.html');

app.on('window-all-closed', () => app.quit());
