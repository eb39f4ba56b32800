// Before anything is painted: the visitor's own choice of light or dark, where there is one.
try {
  const theme = localStorage.getItem('quintet-theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // No storage here: the system's choice stands.
}
