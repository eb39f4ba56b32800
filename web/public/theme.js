// Applies the visitor's choice of light or dark before anything is painted.
try {
  const theme = localStorage.getItem('quintet-theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Without storage, the page follows the system.
}
