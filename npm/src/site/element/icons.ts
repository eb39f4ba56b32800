export const magnifier = 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.3 15.3 20.5 20.5';
export const cross = 'M6 6 18 18M18 6 6 18';
export const back = 'M20 12H5M11 5.5 4.5 12l6.5 6.5';
export const page = 'M6 3.5h8l4 4v13H6zM14 3.5v4h4';
export const hash = 'M9.5 4 7.5 20M16.5 4 14.5 20M4.5 9h15.5M4 15h15.5';
