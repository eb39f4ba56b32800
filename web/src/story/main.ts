import '../shared/shell.js';
